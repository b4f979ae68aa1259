import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WhatIfChange } from '@gatehouse/contract';
import type { Db } from '../../../platform/database/store.ts';
import { Slices } from '../../../platform/slices.ts';
import type { Draft } from './draft.ts';
import { idsOf, type NamedRows, pairsOf } from './named-rows.ts';
import { keyOfPair, type Pair } from './pair.ts';
import { refuseSize } from './refusals.ts';
import { type RuleSet, RuleSets } from './rule-sets.ts';
import {
  listPairs,
  listRules,
  type PairFilter,
  rulesAboutCalls,
  rulesAboutPeople,
} from './scope-repository.ts';

/** A pair as it is and as it would be; the rules are undefined where it is not attached. */
export interface ScopedPair extends Pair {
  readonly before: RuleSet | undefined;
  readonly after: RuleSet | undefined;
  /** False where only people change. Then the rules are only those about people. */
  readonly isTouched: boolean;
}

/** Everything that changes can make a difference to. */
export interface Scope {
  readonly pairs: readonly ScopedPair[];
  /** Rules of touched pairs. */
  readonly ruleSets: RuleSets;
}

/** Pairs of one answer. */
const MAX_PAIRS = 20_000;

/** Pairs of one statement that looks for them. */
const PART = 500;

/** @throws ProblemError `validation_failed` when there are too many pairs or rules */
export async function readScope(
  db: Db,
  organizationId: string,
  changes: readonly WhatIfChange[],
  { draft, rows }: { readonly draft: Draft; readonly rows: NamedRows },
): Promise<Scope> {
  const named = pairsOf(changes);
  const isWide = ({ kind }: WhatIfChange) =>
    kind === 'archive' || kind === 'restore' || kind === 'integration_policy';
  const wide = changes.filter(isWide);
  const applicationIds = new Set(idsOf(wide, 'applicationId'));
  const integrationIds = new Set(idsOf(wide, 'integrationId'));
  const keys = new Set(named.map(keyOfPair));
  const isTouched = (pair: Pair) =>
    applicationIds.has(pair.applicationId) ||
    integrationIds.has(pair.integrationId) ||
    keys.has(keyOfPair(pair));
  const attached = new Map<string, Pair>();
  for (const pair of named) {
    if (rows.attached.has(keyOfPair(pair))) attached.set(keyOfPair(pair), pair);
  }
  if (draft.people.size > 0) await addPairs(attached, db, organizationId, undefined);
  else if (wide.length > 0) {
    const filter = { applicationIds: [...applicationIds], integrationIds: [...integrationIds] };
    await addPairs(attached, db, organizationId, filter);
  }
  const all = [...attached.values()];
  const added = named.filter((pair) => !attached.has(keyOfPair(pair)));
  const scope = { db, organizationId, draft, attached };
  const ruleSets = new RuleSets();
  const touched = await readPairs(scope, [...all.filter(isTouched), ...added], {
    columns: rulesAboutCalls,
    ruleSets,
    isTouched: true,
  });
  const others = all.filter((pair) => !isTouched(pair));
  const untouched = await readPairs(scope, others, {
    columns: rulesAboutPeople,
    ruleSets: new RuleSets(),
    isTouched: false,
  });
  return { pairs: [...touched, ...untouched], ruleSets };
}

async function addPairs(
  attached: Map<string, Pair>,
  db: Db,
  organizationId: string,
  filter: PairFilter | undefined,
): Promise<void> {
  let before: string | undefined;
  for (;;) {
    await nextTurn();
    const rows = await listPairs(db, organizationId, filter, { before, take: PART });
    for (const { applicationId, integrationId } of rows) {
      const pair = { applicationId, integrationId };
      attached.set(keyOfPair(pair), pair);
    }
    if (attached.size > MAX_PAIRS) refuseSize('attachments');
    if (rows.length < PART) return;
    before = rows.at(-1)?.id;
  }
}

interface Reading {
  readonly db: Db;
  readonly organizationId: string;
  readonly draft: Draft;
  readonly attached: ReadonlyMap<string, Pair>;
}

/** Pairs of one statement that reads rules, and the characters that it should read: a few milliseconds. */
const MOST = 100;
const FITTING = 120_000;

async function readPairs(
  { db, organizationId, draft, attached }: Reading,
  pairs: readonly Pair[],
  {
    columns,
    ruleSets,
    isTouched,
  }: {
    readonly columns: typeof rulesAboutCalls;
    readonly ruleSets: RuleSets;
    readonly isTouched: boolean;
  },
): Promise<ScopedPair[]> {
  const scoped: ScopedPair[] = [];
  const slices = new Slices();
  let size = MOST / 2;
  for (let start = 0; start < pairs.length; ) {
    await slices.pause();
    const part = pairs.slice(start, start + size);
    start += part.length;
    let length = 0;
    for (const row of await listRules(db, organizationId, part, columns)) {
      if (slices.isOver) await slices.pause();
      const key = keyOfPair(row);
      const isAttached = attached.has(key);
      const stays = draft.attached.get(key) ?? isAttached;
      const before = ruleSets.of(row);
      length += before.key.length;
      const rules = draft.rulesOf(row, row);
      const afterwards = rules === row ? before : ruleSets.of(rules);
      scoped.push({
        applicationId: row.applicationId,
        integrationId: row.integrationId,
        before: isAttached ? before : undefined,
        after: stays ? afterwards : undefined,
        isTouched,
      });
    }
    const fitting = Math.floor((FITTING * part.length) / length);
    size = Math.min(MOST, Math.max(10, fitting));
  }
  return scoped;
}
