import type { Logger } from 'pino';
import type { Credentials } from '../credentials/credentials.ts';
import { parseChallenge } from '../credentials/oauth/discovery/challenge.ts';
import type { Admission } from './admission.ts';
import type { ResponseHeaders } from './response-head.ts';

/** The scopes that a 403 asks for (RFC 6750 section 3.1); undefined if it is about something else. */
export function scopesAskedFor(
  { route }: Pick<Admission, 'route'>,
  status: number,
  headers: ResponseHeaders,
): readonly string[] | undefined {
  if (status !== 403 || route.target.authMode !== 'oauth') return undefined;
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
  { route, actor }: Pick<Admission, 'route' | 'actor'>,
  scopes: readonly string[],
  { credentials, log }: LackingDeps,
): Promise<boolean> {
  try {
    return await credentials.wantScopes(route.target, actor.userId, scopes);
  } catch (error) {
    log.warn({ requestId, err: error }, 'lacking scopes not noted');
    return false;
  }
}
