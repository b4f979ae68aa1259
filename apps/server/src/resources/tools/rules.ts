import { limits } from '@gatehouse/contract';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Approval } from './repository.ts';

/**
 * All or nothing: each is the latest of its tool, and is approved now.
 *
 * @throws ProblemError `tools_changed` with the names of the others
 */
export function requireLatest(approvals: readonly Approval[]): void {
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
