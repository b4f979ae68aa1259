import type { Findings } from './findings.ts';
import type { Pair } from './pair.ts';
import type { Allowed, People } from './people.ts';

/** What a pair allows, undefined where nobody can use it. */
export interface Difference {
  readonly before: Allowed | undefined;
  readonly after: Allowed | undefined;
}

/** Finds who gains or loses a pair. */
export function comparePeople(
  findings: Findings,
  people: People,
  pair: Pair,
  { before, after }: Difference,
): void {
  people.changed.forEach(({ userId }, index) => {
    const was = before?.before[index] === true;
    add(findings, pair, userId, { was, is: after?.after[index] === true });
  });
  // Those who do not change.
  if (before === after) return;
  const named = new Set([...(before?.named.keys() ?? []), ...(after?.named.keys() ?? [])]);
  const namedIn = new Map<number, number>();
  for (const userId of named) {
    const index = people.classOf.get(userId) ?? -1;
    namedIn.set(index, (namedIn.get(index) ?? 0) + 1);
    const can = (allowed: Allowed | undefined) =>
      allowed?.named.get(userId) ?? allowed?.classes[index] ?? false;
    add(findings, pair, userId, { was: can(before), is: can(after) });
  }
  people.classes.forEach(({ userIds }, index) => {
    const was = before?.classes[index] === true;
    const is = after?.classes[index] === true;
    if (was === is) return;
    const count = userIds.length - (namedIn.get(index) ?? 0);
    const isMeant = (userId: string) => !named.has(userId);
    findings.addPeople(is ? 'gained' : 'lost', pair, { count, userIds, isMeant });
  });
}

function add(
  findings: Findings,
  pair: Pair,
  userId: string,
  { was, is }: { readonly was: boolean; readonly is: boolean },
): void {
  if (was === is) return;
  const one = { count: 1, userIds: [userId], isMeant: () => true };
  findings.addPeople(is ? 'gained' : 'lost', pair, one);
}
