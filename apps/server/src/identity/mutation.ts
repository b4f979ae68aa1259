import type { EventDetails } from '@gatehouse/contract';
import type { Tx } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { actorOfCaller, type PersonCaller } from './caller.ts';

/**
 * What a write requires of the version that it changes, as named by `If-Match`: nothing, any
 * version, or one of these. An empty list matches no version.
 */
export type Precondition = 'none' | 'any' | { readonly versions: readonly number[] };

/** What every write of the management API gets: its transaction, who writes, and under which precondition. */
export interface Mutation {
  readonly tx: Tx;
  readonly actor: PersonCaller;
  /** Ignored by writes of rows without a version, and by POST. */
  readonly precondition: Precondition;
}

/** Records what the caller has done to a target. */
export function record({ tx, actor }: Mutation, targetId: string, details: EventDetails): void {
  tx.record({ ...details, targetId, actor: actorOfCaller(actor) });
}

/** A version as a strong tag (RFC 9110 section 8.8.3). */
export function etagOf(version: number): string {
  return `"v${version}"`;
}

/**
 * Compares the precondition with the version of the locked row (RFC 9110 section 13.1.1).
 *
 * @throws ProblemError `precondition_failed` with the present `ETag`
 */
export function requireMatch(precondition: Precondition, version: number): void {
  if (precondition === 'none' || precondition === 'any') return;
  if (precondition.versions.includes(version)) return;
  throw new ProblemError(
    'precondition_failed',
    'The resource has changed since the version named in If-Match. Read it again, then repeat the change.',
    { headers: { ETag: etagOf(version) } },
  );
}
