import { STEPS } from './steps.mjs';

/**
 * Plays one step and writes its `seconds`, and the calls `made` and `failed` meanwhile, into the row.
 *
 * @throws Error when a command or a check failed
 */
export async function playStep(play, step, row) {
  console.log(`\n${step.title}`);
  const before = step.traffic ? await trafficOf(play) : undefined;
  const begun = performance.now();
  try {
    await step.first?.(play);
    for (const name of step.blocks) {
      await play.runBlock(name, step);
      await step.between?.[name]?.(play);
    }
    await step.last?.(play);
  } finally {
    row.seconds = (performance.now() - begun) / 1_000;
    if (before !== undefined) {
      const after = await play.ask(isLastWithTraffic(step) ? 'stopTraffic' : 'figures');
      row.made = after.made - before.made;
      row.failed = after.failed - before.failed;
    }
  }
}

async function trafficOf(play) {
  const figures = await play.ask('figures');
  if (figures.made === 0) await play.startTraffic();
  return figures;
}

function isLastWithTraffic(step) {
  return step === STEPS.findLast(({ traffic }) => traffic);
}
