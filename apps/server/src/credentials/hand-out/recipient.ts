import { decidePeople, type EventRequest, policyMessage, refusalTexts } from '@gatehouse/contract';
import { applicationIdOf, type OauthCaller } from '../../identity/caller.ts';
import { findCallerAgain, lockCaller } from '../../identity/find-caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { callFailures } from '../failures.ts';
import { isPersonalMode } from '../target.ts';
import type { HandOutTarget } from './hand-out-target.ts';

/** An application that gets a credential, for itself or for a person. */
export interface Recipient {
  /** With its request. The access token has the scope `credentials`, and an audience with the integration. */
  readonly caller: OauthCaller & { readonly request: EventRequest };
  /** SHA-256 of the secret that the application has authenticated with, in base64; undefined if it has sent only its token. */
  readonly secretHash?: string | undefined;
}

/**
 * Decides whether the recipient may get the credential of a target, first by rules about people. Rules about
 * names have no effect here.
 *
 * @throws ProblemError `policy_refused`, `not_credential_only`, `auth_mode_mismatch`, `forbidden`
 */
export function requireMayReceive(
  { caller }: Recipient,
  { target, levels }: Pick<HandOutTarget, 'target' | 'levels'>,
): void {
  const reasons = decidePeople(levels, caller);
  if (reasons.length > 0) {
    throw new ProblemError('policy_refused', policyMessage(reasons), { reasons });
  }
  const { category, authMode, integrationId } = target;
  if (category !== 'internal_mcp_credentials') {
    throw new ProblemError(
      'not_credential_only',
      'The gateway proxies this integration, and its credential never leaves. Use its gateway URL.',
    );
  }
  if (authMode === 'none') {
    throw new ProblemError('auth_mode_mismatch', refusalTexts.noCredential);
  }
  if (isPersonalMode(authMode)) requireAgreed(caller, integrationId);
  else requireForItself(caller);
}

/** A person's credential is handed out only if the person has agreed to this integration. */
function requireAgreed(caller: OauthCaller, integrationId: string): void {
  if (caller.kind === 'application') {
    throw new ProblemError(
      'forbidden',
      'An application that acts for itself has no account at this integration: a person must sign in.',
    );
  }
  const isAgreed =
    caller.audience?.kind !== 'application' || caller.via.integrationIds.includes(integrationId);
  if (isAgreed) return;
  const { sentence, hint } = callFailures.consent_required;
  throw new ProblemError('forbidden', `${sentence} ${hint}`);
}

/** The server token belongs to no person. */
function requireForItself(caller: OauthCaller): void {
  if (caller.kind === 'application') return;
  throw new ProblemError(
    'forbidden',
    'The server token is handed out only to an application that acts for itself, by client credentials.',
  );
}

/**
 * Locks the rows behind the recipient's token until the transaction ends, in the order member, application,
 * grant.
 *
 * @returns the recipient with their current role and groups
 * @throws ProblemError `unauthenticated` when the grant, member, application, token or secret is gone;
 *   `forbidden` when the application is public, lacks the scope, or the token is another client's
 */
export async function lockRecipient(db: Db, recipient: Recipient): Promise<Recipient> {
  const { caller, secretHash } = recipient;
  const present = await lockPresentCaller(db, caller);
  const applicationId = applicationIdOf(caller);
  const grantId = caller.kind === 'person' ? caller.via.id : null;
  const receivers = await db.$queryRaw<{ readonly secretHash: string | null }[]>`
    SELECT encode("secretHash", 'base64') AS "secretHash" FROM "Application" p
    WHERE p."id" = ${applicationId}::uuid AND p."clientType" = 'confidential'
      AND 'credentials' = ANY(p."scopes") AND (${grantId}::uuid IS NULL OR EXISTS (
        SELECT 1 FROM "Grant" g
        WHERE g."id" = ${grantId}::uuid AND g."clientId" = p."id"::text))
    FOR KEY SHARE`;
  if (caller.kind === 'application') await findCallerAgain(db, caller);
  const [receiver] = receivers;
  if (receiver === undefined) {
    throw new ProblemError(
      'forbidden',
      'Only a confidential application with the scope credentials gets credentials handed out.',
    );
  }
  if (secretHash !== undefined && receiver.secretHash !== secretHash) {
    throw new ProblemError('unauthenticated', 'The client secret has been rotated.');
  }
  return { ...recipient, caller: present };
}

/** An application needs no lock here: the lock on its row follows. */
async function lockPresentCaller(
  db: Db,
  caller: Recipient['caller'],
): Promise<Recipient['caller']> {
  if (caller.kind === 'application') return caller;
  const { role, groupIds } = await lockCaller(db, caller);
  return { ...caller, role, groupIds };
}
