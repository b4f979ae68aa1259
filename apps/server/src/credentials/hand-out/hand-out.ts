import { credentialFailures, mustConnectText } from '@gatehouse/contract';
import { actorOfCaller, applicationIdOf, bearerIdOf, subjectIdOf } from '../../identity/caller.ts';
import type { Store } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { logRefusal, type RefusalLog } from '../../policy/log-refusal.ts';
import { insertLease, type Lease } from '../../sessions/leases.ts';
import { connectUrlOf } from '../connect/connect-url.ts';
import type { Credentials } from '../credentials.ts';
import { failureForCaller } from '../failures.ts';
import type { FreshCredential, UnusableCredential } from '../outcome.ts';
import { findHandOutTarget, type HandOutTarget, lockHandOutTarget } from './hand-out-target.ts';
import { lockRecipient, type Recipient, requireMayReceive } from './recipient.ts';

export interface HandOutDeps {
  readonly store: Store;
  readonly credentials: Pick<Credentials, 'readFresh'>;
  /** Our origin. */
  readonly publicUrl: string;
  readonly log: RefusalLog;
}

/** What leaves Gatehouse, in the form of the response. */
export interface HandedOut<Shown> {
  readonly shown: Shown;
  readonly lease: Lease;
}

/** Attempts, if an admin changes the integration in between. */
const ATTEMPTS = 5;

/**
 * Hands out the credential of a credential-only integration. Everything that allows it is locked while the lease
 * is written, so nothing is handed out once any of that has ended. The response is sent after the commit.
 *
 * @param show the form of the credential in the response; it may refuse, before anything is written
 * @throws ProblemError `not_found`, `policy_refused`, `not_credential_only`, `auth_mode_mismatch`, `forbidden`,
 *   `connection_required`, `integration_misconfigured`, `credential_unavailable`, `unauthenticated`
 */
export async function handOut<Shown>(
  deps: HandOutDeps,
  recipient: Recipient,
  integrationId: string,
  show: (credential: FreshCredential) => Shown,
): Promise<HandedOut<Shown>> {
  try {
    return await tryHandOut(deps, recipient, integrationId, show);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'policy_refused') {
      const { caller } = recipient;
      const { id: requestId } = caller.request;
      const ids = { userId: subjectIdOf(caller), applicationId: applicationIdOf(caller) };
      const { reasons } = error;
      logRefusal(deps.log, { requestId, method: 'POST', ...ids, integrationId, reasons });
    }
    throw error;
  }
}

async function tryHandOut<Shown>(
  deps: HandOutDeps,
  recipient: Recipient,
  integrationId: string,
  show: (credential: FreshCredential) => Shown,
): Promise<HandedOut<Shown>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const target = await requireTarget(deps, recipient, integrationId);
    const credential = await requireFresh(deps, recipient, target);
    const shown = show(credential);
    const lease = await writeLease(deps.store, recipient, target, credential);
    if (lease !== undefined) return { shown, lease };
  }
  throw new ProblemError('overloaded', 'The integration is being changed. Try again shortly.', {
    headers: { 'Retry-After': '1' },
  });
}

async function requireTarget(
  { store }: HandOutDeps,
  recipient: Recipient,
  integrationId: string,
): Promise<HandOutTarget> {
  const { caller } = recipient;
  const { organizationId } = caller;
  const ids = { organizationId, applicationId: applicationIdOf(caller), integrationId };
  const target = await findHandOutTarget(store.db, ids);
  if (target === undefined) {
    throw new ProblemError('not_found', 'The application has no such integration.');
  }
  requireMayReceive(recipient, target);
  return target;
}

async function requireFresh(
  { credentials, publicUrl }: HandOutDeps,
  { caller }: Recipient,
  { target, integrationId }: HandOutTarget,
): Promise<FreshCredential> {
  const credential = await credentials.readFresh(target, subjectIdOf(caller));
  if (credential.kind === 'ready') return credential;
  throw unusableProblem(credential, publicUrl, integrationId);
}

/** Undefined if something has changed since it was read. */
function writeLease(
  store: Store,
  recipient: Recipient,
  target: HandOutTarget,
  { connectionId, expiresAt }: FreshCredential,
): Promise<Lease | undefined> {
  const { caller } = recipient;
  return store.transaction(async (tx) => {
    const present = await lockRecipient(tx.db, recipient);
    if (!(await lockHandOutTarget(tx.db, target, connectionId))) return undefined;
    requireMayReceive(present, target);
    const holder = { subjectId: subjectIdOf(caller), bearerId: bearerIdOf(caller) };
    const endsAt = expiresAt === undefined ? undefined : new Date(expiresAt);
    const lease = await insertLease(tx.db, target, holder, endsAt);
    const { applicationId, integrationId } = target;
    tx.record({
      action: 'lease.created',
      actor: actorOfCaller(caller),
      targetId: lease.id,
      applicationId,
      integrationId,
      userId: caller.kind === 'person' ? caller.userId : null,
    });
    return lease;
  });
}

/** Why there is no credential to hand out now. @param publicUrl our origin */
function unusableProblem(
  outcome: UnusableCredential,
  publicUrl: string,
  integrationId: string,
): ProblemError {
  const failure = credentialFailures[outcome.reason];
  if (outcome.kind === 'needs_user') {
    const connectUrl = connectUrlOf(publicUrl, integrationId);
    const detail = mustConnectText(failure.sentence);
    return new ProblemError('connection_required', detail, { connectUrl });
  }
  const detail = failureForCaller(failure);
  if (failure.actor === 'admin') return new ProblemError('integration_misconfigured', detail);
  const headers = failure.actor === 'nobody' ? { 'Retry-After': '5' } : {};
  return new ProblemError('credential_unavailable', detail, { headers });
}
