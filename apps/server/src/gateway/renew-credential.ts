import type { Logger } from 'pino';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialOutcome, ReadyCredential } from '../credentials/outcome.ts';
import type { Admission } from './admission.ts';

export interface RenewDeps {
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected'>;
  readonly log: Logger;
}

/** How often one call gets another credential, if each expires before the upstream has looked at it. */
const MAX_RENEWALS = 4;

/**
 * Another credential after the upstream has rejected this one, or why there is none. Without either the
 * rejection is recorded. A credential that has expired meanwhile was good when it was sent, so that its
 * rejection is not recorded. Never rejects.
 *
 * @param renewals how often the call got another credential before
 */
export async function renewCredential(
  { requestId }: { readonly requestId: string },
  { route, actor }: Pick<Admission, 'route' | 'actor'>,
  rejected: ReadyCredential,
  { credentials, log }: RenewDeps,
  renewals: number,
): Promise<CredentialOutcome | undefined> {
  const { connectionId, expiresAt } = rejected;
  if (connectionId === undefined) return undefined;
  const hasExpired = expiresAt !== undefined && expiresAt <= Date.now();
  if (renewals < (hasExpired ? MAX_RENEWALS : 1)) {
    try {
      const renewed = await credentials.renew(route.target, actor.userId, rejected);
      if (renewed !== undefined) return renewed;
    } catch (error) {
      log.warn({ requestId, err: error }, 'credential not renewed');
    }
  }
  if (hasExpired) return { kind: 'unavailable', reason: 'refresh_failed' };
  credentials.reportRejected(connectionId);
  return undefined;
}
