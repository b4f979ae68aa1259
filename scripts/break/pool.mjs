/** Gives each item to the next free worker; resolves when all are done. */
export async function shareOut(items, workers, work) {
  const queue = [...items];
  const next = async (worker) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item, worker);
    }
  };
  await Promise.all(workers.map(next));
}
