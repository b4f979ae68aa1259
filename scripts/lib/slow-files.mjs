const LIMIT = 5_000;

/** A reporter of vitest: prints at the end which test files took more than five seconds, the longest first. */
// biome-ignore lint/style/noDefaultExport: vitest loads it by its default export.
export default class SlowFiles {
  onTestRunEnd(modules) {
    const slow = modules
      .map((module) => ({
        name: `${module.project.name}  ${module.relativeModuleId}`,
        duration: timeOf(module.diagnostic()),
      }))
      .filter(({ duration }) => duration > LIMIT)
      .sort((one, other) => other.duration - one.duration);
    if (slow.length === 0) return;
    console.log('\nTest files that took more than 5 s:');
    for (const { name, duration } of slow) {
      console.log(`${(duration / 1_000).toFixed(1).padStart(7)} s  ${name}`);
    }
  }
}

function timeOf({ collectDuration, setupDuration, duration }) {
  return collectDuration + setupDuration + duration;
}
