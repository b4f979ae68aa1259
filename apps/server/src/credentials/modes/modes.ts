import { credentialHeaders } from '@gatehouse/contract';
import type { AuthMode } from '../../generated/prisma/enums.ts';
import type { CredentialOutcome, ReadyCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import { type CredentialMode, type OpenedCredential, readableCredential } from './mode.ts';
import { oauthMode } from './oauth.ts';
import { checkConnection, personalConnection } from './personal-connection.ts';
import { serverTokenMode } from './server-token.ts';

/** `none`: the upstream needs no authentication. */
const noneMode: CredentialMode = {
  source: 'none',
  check: () => undefined,
  credential: () => undefined,
};

/** `user_token`: the credential that each user entered, stored in that user's connection. */
const userTokenMode: CredentialMode = {
  source: 'connection',
  stored: personalConnection,
  check: checkConnection,
  credential: readableCredential,
};

export const MODES: Readonly<Record<AuthMode, CredentialMode>> = {
  none: noneMode,
  oauth: oauthMode,
  server_token: serverTokenMode,
  user_token: userTokenMode,
};

/** No credential is sent. */
export const NO_CREDENTIAL: ReadyCredential = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};

/** The credential for a target, or why it cannot be sent now. */
export function outcomeOf(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
): CredentialOutcome {
  const mode = MODES[target.authMode];
  const unusable = mode.check(target, opened, Date.now());
  if (unusable !== undefined) return unusable;
  const credential = mode.credential(opened);
  if (credential === undefined) return NO_CREDENTIAL;
  const headers = credentialHeaders(target.credentialSchema, credential);
  // A person's fields may all be unsent; a server token that is not sent would mean no authentication.
  const isMissing = mode.source === 'server_token' && headers?.length === 0;
  if (headers === undefined || isMissing) return misfitOf(mode);
  const expiresAt = expiryOf(opened);
  const { connectionId } = opened ?? {};
  return { kind: 'ready', headers, source: mode.source, connectionId, expiresAt };
}

/** The schema was changed after the credential was entered, or takes no single token. */
function misfitOf({ source }: CredentialMode): CredentialOutcome {
  return source === 'server_token'
    ? { kind: 'unavailable', reason: 'server_token_misfit' }
    : { kind: 'needs_user', reason: 'needs_reauth' };
}

/** When the credential expires, in epoch milliseconds. */
export function expiryOf(opened: OpenedCredential | undefined): number | undefined {
  return opened?.oauth?.grant.expiresAt ?? opened?.expiresAt;
}
