import { closedLoop } from './load.mjs';

/** The share of the machine used by others above which a round is left out, if enough quieter ones remain. */
const QUIET = 0.12;
const ENOUGH = 3;

/**
 * Measures every target once per round, beginning each round with another one, and in every second
 * round in reverse order: a target would otherwise always follow the same neighbour. Before that, every
 * target has one unrecorded run, long enough for the compiler to finish. The targets of a round are
 * measured under the same conditions, so ratios are taken within rounds.
 *
 * @param targets `{ name, pid, workers }`, or what `measure` needs, if it is given.
 * @param reference the name of the target that the others' CPU is divided by.
 * @param measure one run of a target. Default: a closed loop of `operate` in this process.
 */
export async function interleave({
  targets,
  settings,
  reference,
  operate,
  postgresqlPid,
  measure = (target, seconds, atLeast) =>
    closedLoop({
      workers: target.workers,
      operate,
      seconds,
      atLeast,
      targetPid: target.pid,
      postgresqlPid,
    }),
}) {
  for (const target of targets) {
    await measure(target, settings.warmUp, settings.warmUpCount);
  }
  const rounds = [];
  for (let index = 0; index < settings.rounds; index += 1) {
    const round = {};
    const shift = index % targets.length;
    const order = [...targets.slice(shift), ...targets.slice(0, shift)];
    if (index % 2 === 1) order.reverse();
    for (const target of order) {
      round[target.name] = await measure(target, settings.seconds);
    }
    rounds.push(round);
  }
  return targets.map(({ name }) => summarize(name, rounds, reference));
}

function summarize(name, rounds, reference) {
  const isQuiet = (round) =>
    [name, reference].every((each) => (round[each]?.foreign ?? 0) <= QUIET);
  const quiet = rounds.filter(isQuiet);
  const used = quiet.length >= Math.min(ENOUGH, rounds.length) ? quiet : rounds;
  const of = (field) => spread(used.map((round) => round[name][field]));
  return {
    target: name,
    rounds: used.length,
    count: used.reduce((sum, round) => sum + round[name].count, 0),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    postgresqlCpu: of('postgresqlCpu'),
    foreign: of('foreign'),
    ratio: spread(used.map((round) => round[name].cpu / round[reference].cpu)),
  };
}

/** Median, minimum and maximum. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? sorted[Math.floor(middle)]
      : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}
