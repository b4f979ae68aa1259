import type { Logger } from 'pino';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialOutcome, ReadyCredential } from '../credentials/outcome.ts';
import type { Admission } from './admission.ts';

export interface RenewDeps {
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected'>;
  readonly log: Logger;
}

/**
 * Another credential after the upstream has rejected this one, or why there is none. Without either the
 * rejection is recorded. Never rejects.
 *
 * @param isRetry whether the rejected one is another credential already
 */
export async function renewCredential(
  { requestId }: { readonly requestId: string },
  { route, actor }: Pick<Admission, 'route' | 'actor'>,
  rejected: ReadyCredential,
  { credentials, log }: RenewDeps,
  isRetry: boolean,
): Promise<CredentialOutcome | undefined> {
  const { connectionId } = rejected;
  if (connectionId === undefined) return undefined;
  if (!isRetry) {
    try {
      const renewed = await credentials.renew(route.target, actor.userId, rejected);
      if (renewed !== undefined) return renewed;
    } catch (error) {
      log.warn({ requestId, err: error }, 'credential not renewed');
    }
  }
  credentials.reportRejected(connectionId);
  return undefined;
}
