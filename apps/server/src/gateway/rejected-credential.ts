import type { Logger } from 'pino';
import type { Credentials } from '../credentials/credentials.ts';
import { parseChallenge } from '../credentials/oauth/discovery/challenge.ts';
import type { CredentialOutcome, ReadyCredential } from '../credentials/outcome.ts';
import { subjectIdOf } from '../identity/caller.ts';
import type { Admission } from './admission.ts';
import type { ResponseHeaders } from './response-head.ts';

export interface RenewDeps {
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected'>;
  readonly log: Logger;
}

/** How often one call gets another credential, if each expires before the upstream has looked at it. */
const MAX_RENEWALS = 4;

/**
 * Another credential after the upstream has rejected this one, or why it cannot be had. Without either,
 * the rejection is recorded, unless the credential has expired since: then it was good when it was
 * sent. Never rejects.
 *
 * @param renewals how often the call got another credential before
 */
export async function renewCredential(
  { requestId }: { readonly requestId: string },
  { route, caller }: Pick<Admission, 'route' | 'caller'>,
  rejected: ReadyCredential,
  { credentials, log }: RenewDeps,
  renewals: number,
): Promise<CredentialOutcome | undefined> {
  const { connectionId, expiresAt } = rejected;
  if (connectionId === undefined) return undefined;
  const hasExpired = expiresAt !== undefined && expiresAt <= Date.now();
  if (renewals < (hasExpired ? MAX_RENEWALS : 1)) {
    try {
      const renewed = await credentials.renew(route.target, subjectIdOf(caller), rejected);
      if (renewed !== undefined) return renewed;
    } catch (error) {
      log.warn({ requestId, err: error }, 'credential not renewed');
    }
  }
  if (hasExpired) return { kind: 'unavailable', reason: 'refresh_failed' };
  credentials.reportRejected(connectionId);
  return undefined;
}

/** The scopes that a 403 asks for (RFC 6750 section 3.1); undefined if it is about something else. */
export function scopesAskedFor(
  { route }: Pick<Admission, 'route'>,
  headers: ResponseHeaders,
): readonly string[] | undefined {
  if (route.target.authMode !== 'oauth') return undefined;
  const { error, scopes } = parseChallenge(headers['www-authenticate']);
  return error === 'insufficient_scope' ? scopes : undefined;
}

export interface LackingDeps {
  readonly credentials: Pick<Credentials, 'wantScopes'>;
  readonly log: Logger;
}

/** Whether the person can give the scopes by connecting again. Never rejects. */
export async function canGiveScopes(
  { requestId }: { readonly requestId: string },
  { route, caller }: Pick<Admission, 'route' | 'caller'>,
  scopes: readonly string[],
  { credentials, log }: LackingDeps,
): Promise<boolean> {
  try {
    return await credentials.wantScopes(route.target, subjectIdOf(caller), scopes);
  } catch (error) {
    log.warn({ requestId, err: error }, 'lacking scopes not noted');
    return false;
  }
}
