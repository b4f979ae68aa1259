/** Gives each item to the next free worker. Resolves when all items are done. */
export async function runOnWorkers(items, workers, work) {
  const queue = [...items];
  const next = async (worker) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item, worker);
    }
  };
  await Promise.all(workers.map(next));
}
