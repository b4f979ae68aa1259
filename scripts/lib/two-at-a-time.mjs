/** Runs asynchronous functions, as many at a time as two cores carry; the first that fails is thrown. */
export async function twoAtATime(works) {
  const waiting = [...works];
  const workOff = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift()) await work();
  };
  await Promise.all([workOff(), workOff()]);
}
