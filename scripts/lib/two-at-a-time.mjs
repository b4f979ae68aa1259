/** Runs asynchronous functions, two at a time. Throws the first error. */
export async function twoAtATime(tasks) {
  const waiting = [...tasks];
  const runTasks = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
  };
  await Promise.all([runTasks(), runTasks()]);
}
