import { type Someone, whyKeptOut } from './people.ts';
import type { RulesOfLevels } from './rules.ts';
import { countTools, type Tools } from './tools.ts';

/** An edge of the access graph for someone, by the rules of its attachment. */
export function edgeOf(rules: RulesOfLevels, tools: Tools, someone: Someone) {
  const reasons = whyKeptOut(rules, someone);
  return { allowed: reasons.length === 0, reasons, tools: countTools(rules, tools) };
}

/** A moment: the rules of each attachment by its application, what is known of tools, and everyone. */
export interface Moment {
  readonly rules: ReadonlyMap<string, RulesOfLevels>;
  readonly tools: Tools;
  readonly people: readonly Extract<Someone, { kind: 'person' }>[];
}

/** What lies between two moments: who can use what, and where another number of tools is allowed. */
export function differenceOf(before: Moment, after: Moment) {
  const [was, is] = [usesOf(before), usesOf(after)];
  const gained = is.filter((use) => !was.includes(use));
  const lost = was.filter((use) => !is.includes(use));
  const tools = [...after.rules].flatMap(([applicationId, rules]) => {
    const own = before.rules.get(applicationId) ?? rules;
    const counts = [countTools(own, before.tools).allowed, countTools(rules, after.tools).allowed];
    return counts[0] === counts[1] ? [] : [`${applicationId} ${counts.join(' ')}`];
  });
  return { people: { gained, lost }, edges: { gained: edges(gained), lost: edges(lost) }, tools };
}

/** Application and person, of everyone whom no rule keeps out. */
function usesOf({ rules, people }: Moment): string[] {
  const uses = [...rules].flatMap(([applicationId, levels]) =>
    people
      .filter((person) => whyKeptOut(levels, person).length === 0)
      .map(({ userId }) => `${applicationId} ${userId}`),
  );
  return uses.sort();
}

const edges = (uses: readonly string[]) => [
  ...new Set(uses.map((use) => use.split(' ', 1).join())),
];
