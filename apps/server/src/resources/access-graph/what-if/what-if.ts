import type { WhatIfChange, WhatIfResponse } from '@gatehouse/contract';
import type { PersonCaller } from '../../../identity/caller.ts';
import type { Db } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { Slices } from '../../../platform/slices.ts';
import { type SlotLimits, Slots } from '../../../platform/slots.ts';
import { Changes } from './apply-changes.ts';
import { comparePeople } from './compare-people.ts';
import { compareTools } from './compare-tools.ts';
import { Findings } from './findings.ts';
import { readNamedRows } from './named-rows.ts';
import { changedIn, PeopleDecisions, readPeople } from './people.ts';
import { readScope, type Scope } from './scope.ts';
import { readUsable } from './usable.ts';

/** One at a time for an organization: each may take a second. */
const whatIfSlots: SlotLimits = {
  running: 2,
  waiting: 20,
  ofKey: { running: 1, waiting: 5 },
  maxWait: 10_000,
  refusal: () =>
    new ProblemError('overloaded', 'Others are asking such questions just now. Try again soon.', {
      headers: { 'Retry-After': '5' },
    }),
};
const slots = new Slots(whatIfSlots);

/**
 * What changes would do. Nothing is changed or locked, and what others write meanwhile may be seen in part.
 *
 * @throws ProblemError `validation_failed`, `overloaded`
 */
export function answerWhatIf(
  db: Db,
  actor: PersonCaller,
  changes: readonly WhatIfChange[],
): Promise<WhatIfResponse> {
  return slots.run(() => answer(db, actor, changes), { key: actor.organizationId });
}

async function answer(
  db: Db,
  actor: PersonCaller,
  changes: readonly WhatIfChange[],
): Promise<WhatIfResponse> {
  const { organizationId } = actor;
  const slices = new Slices();
  const rows = await readNamedRows(db, organizationId, changes);
  const applied = new Changes(db, actor, rows);
  for (const [index, change] of changes.entries()) {
    if (slices.isOver) await slices.pause();
    await applied.apply(change, index);
  }
  const { draft } = applied;
  const scope = await readScope(db, organizationId, changes, { draft, rows });
  const isUsable = await readUsable(db, organizationId, scope.pairs, draft);
  const people = hasTouched(scope)
    ? await readPeople(db, organizationId, { draft, rows }, scope.ruleSets.groupIds())
    : { classes: [], classOf: new Map<string, number>(), changed: changedIn(draft, rows) };
  const decisions = new PeopleDecisions(people, slices);
  const changing = { ...people, classes: [], classOf: new Map<string, number>() };
  const decisionsOnChanging = new PeopleDecisions(changing, slices);
  const findings = new Findings();
  for (const pair of scope.pairs) {
    if (slices.isOver) await slices.pause();
    const usable = isUsable(pair);
    const deciding = pair.isTouched ? decisions : decisionsOnChanging;
    comparePeople(findings, people, pair, {
      before: pair.before && usable.before ? await deciding.of(pair.before) : undefined,
      after: pair.after && usable.after ? await deciding.of(pair.after) : undefined,
    });
  }
  await compareTools(db, organizationId, scope, { findings, isProxied: isUsable.isProxied });
  return findings.response();
}

function hasTouched({ pairs }: Scope): boolean {
  return pairs.some(({ isTouched }) => isTouched);
}
