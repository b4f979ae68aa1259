import { type EventDetails, limits } from '@gatehouse/contract';
import { type Mutation, record } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { requireActive } from '../integrations/rules.ts';
import { lockIntegration } from '../integrations/service.ts';
import {
  type Approval,
  approveRows,
  type Fingerprints,
  touchReview,
  withdrawRows,
} from './repository.ts';

/** The names of what was not approved before. @throws ProblemError `not_found`, `archived`, `tools_changed` */
export async function approveTools(
  mutation: Mutation,
  id: string,
  fingerprints: Fingerprints,
): Promise<string[]> {
  const { tx, actor } = mutation;
  requireActive(await lockIntegration(mutation, id));
  const approvals = await approveRows(tx.db, id, fingerprints, actor.userId);
  requireLatest(approvals);
  const names = approvals.filter(({ isWritten }) => isWritten).map(({ name }) => name);
  await finish(mutation, id, {
    action: 'integration.tools_approved',
    ...changed(names, fingerprints),
  });
  return names;
}

/**
 * All or nothing: each is the latest of its tool, and is approved now.
 *
 * @throws ProblemError `tools_changed` with the names of the others
 */
function requireLatest(approvals: readonly Approval[]): void {
  const stale = approvals.filter(
    ({ isLatest, wasApproved, isWritten }) => !isLatest || !(wasApproved || isWritten),
  );
  if (stale.length === 0) return;
  throw new ProblemError(
    'tools_changed',
    'Some of the tools are not as they were seen last. Read them again.',
    { tools: stale.slice(0, limits.problemTools).map(({ name }) => name) },
  );
}

/** The names of what was approved before. @throws ProblemError `not_found`, `archived` */
export async function withdrawTools(
  mutation: Mutation,
  id: string,
  fingerprints: Fingerprints,
): Promise<string[]> {
  requireActive(await lockIntegration(mutation, id));
  const names = await withdrawRows(mutation.tx.db, id, fingerprints);
  await finish(mutation, id, {
    action: 'integration.tools_withdrawn',
    ...changed(names, fingerprints),
  });
  return names;
}

type ReviewEvent = Extract<EventDetails<'integration'>, { count: number }>;

function changed(names: readonly string[], fingerprints: Fingerprints) {
  const tools = names
    .slice(0, limits.problemTools)
    .map((name) => ({ name, fingerprint: fingerprints[name] ?? '' }));
  return { tools, count: names.length };
}

/** Announces and records what was changed. The integration counts as changed, as its routes show the time. */
async function finish(mutation: Mutation, id: string, event: ReviewEvent): Promise<void> {
  if (event.count === 0) return;
  const { tx } = mutation;
  await touchReview(tx.db, id);
  tx.announce({ kind: 'tools', id });
  tx.announce({ kind: 'integration', id });
  record(mutation, id, event);
}
