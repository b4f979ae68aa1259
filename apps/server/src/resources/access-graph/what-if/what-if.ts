import { setImmediate as nextTurn } from 'node:timers/promises';
import { problemCodes, type WhatIfChange, type WhatIfResponse } from '@gatehouse/contract';
import type { PersonCaller } from '../../../identity/caller.ts';
import type { Mutation } from '../../../identity/mutation.ts';
import type { Store } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { Slots } from '../../../platform/slots.ts';
import { lockMembers } from '../../members/service.ts';
import { comparePeople, compareTools, type Graph } from './compare.ts';
import { type Edge, GraphReader } from './graph.ts';
import { rulesAboutCalls, rulesAboutPeople, type Scope } from './graph-repository.ts';
import { makeChange } from './make-change.ts';

/** One at a time: each may hold the embedded database for a second. */
const slots = new Slots({
  running: 1,
  waiting: 20,
  ofKey: { running: 1, waiting: 5 },
  maxWait: 10_000,
  refusal: () =>
    new ProblemError('overloaded', 'Others are asking such questions just now. Try again soon.', {
      headers: { 'Retry-After': '5' },
    }),
});

interface WhatIfDeps {
  readonly store: Store;
  readonly publicUrl: string;
}

/**
 * Makes the changes in a dry run, and compares the access graph before and after.
 *
 * @throws ProblemError `validation_failed`, `overloaded`, `database_unavailable`
 */
export function answerWhatIf(
  deps: WhatIfDeps,
  actor: PersonCaller,
  changes: readonly WhatIfChange[],
): Promise<WhatIfResponse> {
  return slots.run(() => answer(deps, actor, changes), { key: actor.organizationId });
}

async function answer(
  { store, publicUrl }: WhatIfDeps,
  actor: PersonCaller,
  changes: readonly WhatIfChange[],
): Promise<WhatIfResponse> {
  const reader = new GraphReader(actor.organizationId);
  const scope = scopeOf(changes);
  const userIds = changes.flatMap((change) => (change.kind === 'member' ? [change.userId] : []));
  // Changes of members alone matter to nobody else.
  const whom = userIds.length === changes.length ? userIds : undefined;
  const { before, after } = await store.dryRun(async (tx) => {
    const read = async (): Promise<Graph> => ({
      edges: await reader.readEdges(tx.db, rulesAboutCalls, scope),
      people: await reader.readPeople(tx.db, whom),
    });
    if (userIds.length > 0) await lockMembers(tx.db, actor);
    const stored = await read();
    await makeChanges({ tx, actor, precondition: 'none' }, publicUrl, changes);
    return { before: stored, after: await read() };
  });
  const tools = await compareTools(store.db, actor.organizationId, before.edges, after.edges);
  if (userIds.length === 0) return { ...(await comparePeople(before, after)), tools };
  // Other attachments stay as they are, and can matter to the members who change.
  const others = [...(await reader.readEdges(store.db, rulesAboutPeople))].filter(
    ([, { pair }]) => !isIn(scope, pair),
  );
  const withOthers = ({ edges, people }: Graph) => ({
    edges: new Map([...edges, ...others]),
    people,
  });
  return { ...(await comparePeople(withOthers(before), withOthers(after))), tools };
}

/** Each change is about an application, or else about an integration or a member. */
function scopeOf(changes: readonly WhatIfChange[]): Scope {
  const applicationIds = new Set<string>();
  const integrationIds = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'member') continue;
    if ('applicationId' in change && change.applicationId !== undefined) {
      applicationIds.add(change.applicationId);
    } else if (change.integrationId !== undefined) {
      integrationIds.add(change.integrationId);
    }
  }
  return { applicationIds, integrationIds };
}

function isIn(scope: Scope, { applicationId, integrationId }: Edge['pair']): boolean {
  return scope.applicationIds.has(applicationId) || scope.integrationIds.has(integrationId);
}

/** @throws ProblemError `validation_failed` with what the operation of a change refuses, at its index */
async function makeChanges(
  mutation: Mutation,
  publicUrl: string,
  changes: readonly WhatIfChange[],
): Promise<void> {
  for (const [index, change] of changes.entries()) {
    await nextTurn();
    await makeChange(mutation, publicUrl, change).catch((error: unknown) => {
      throw error instanceof ProblemError ? refusalAt(index, error) : error;
    });
  }
}

function refusalAt(index: number, error: ProblemError): ProblemError {
  const { code, message, errors } = error;
  if (problemCodes[code].status >= 500) return error;
  const place = `/changes/${index}`;
  const found = errors.map((one) => ({ ...one, pointer: `${place}/policy${one.pointer}` }));
  return new ProblemError('validation_failed', 'One of the changes cannot be made.', {
    errors: found.length > 0 ? found : [{ code, message, pointer: place }],
  });
}
