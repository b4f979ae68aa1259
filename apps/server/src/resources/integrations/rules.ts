import { isDeepStrictEqual } from 'node:util';
import {
  CANNOT_SEND_TOKEN,
  canSendToken,
  credentialFailures,
  credentialHeaders,
  isOauthConfigured,
  refusalTexts,
} from '@gatehouse/contract';
import { splitsBearerToken } from '../../credentials/credential-fields.ts';
import { oauthConfigOf } from '../../credentials/oauth-config.ts';
import { isPersonalMode } from '../../credentials/target.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { IntegrationConfig, IntegrationRow } from './repository.ts';
import { hasServerTokenFor } from './secrets.ts';

/** An archived integration can only be read, restored, and have its credentials removed. @throws ProblemError `archived` */
export function requireActive({ archivedAt }: Pick<Integration, 'archivedAt'>): void {
  if (archivedAt === null) return;
  throw new ProblemError('archived', 'The integration is archived. Restore it first.');
}

/**
 * Refuses a proxied integration with an address in its url that the egress policy denies.
 *
 * @throws ProblemError `egress_denied` at `/url`
 */
export function requireAllowedUrl(
  egress: Egress,
  { url, category, authMode }: Pick<IntegrationConfig, 'url' | 'category' | 'authMode'>,
): void {
  if (category !== 'gateway_remote_mcp') return;
  try {
    egress.checkUrl(url, authMode === 'none' ? 'nothing' : 'credentials');
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, message } = error;
    throw new ProblemError(code, message, { errors: [{ pointer: '/url', code, message }] });
  }
}

/**
 * An integration in mode `server_token` always has a token that may be sent to its url.
 *
 * @throws ProblemError `validation_failed` at `/serverToken`
 */
export function requireServerToken(
  { secrets }: IntegrationRow,
  { authMode, url }: IntegrationConfig,
  serverToken: string | null | undefined,
): void {
  if (authMode !== 'server_token' || typeof serverToken === 'string') return;
  if (serverToken === undefined && hasServerTokenFor(secrets, url)) return;
  const message = refusalTexts.serverTokenMissing;
  throw new ProblemError('validation_failed', refusalTexts.serverTokenRequired, {
    errors: [{ pointer: '/serverToken', code: 'required', message }],
  });
}

/** A server token that is entered can be sent as it is. @throws ProblemError `validation_failed` at `/serverToken` */
export function requireValidServerToken(
  { credentialSchema }: Pick<IntegrationConfig, 'credentialSchema'>,
  serverToken: string | null | undefined,
): void {
  if (typeof serverToken !== 'string') return;
  const headers = credentialHeaders(credentialSchema, { token: serverToken });
  if (headers === undefined || !splitsBearerToken(headers)) return;
  const message = 'A bearer token contains no spaces.';
  throw new ProblemError('validation_failed', 'The server token cannot be sent.', {
    errors: [{ pointer: '/serverToken', code: 'invalid', message }],
  });
}

/**
 * A token of the mode `server_token` can be sent. An integration that was stored before this was
 * checked can still be changed otherwise.
 *
 * @throws ProblemError `validation_failed` at `/credentialSchema`
 */
export function requireSendableToken(before: IntegrationConfig, after: IntegrationConfig): void {
  if (after.authMode !== 'server_token' || canSendToken(after.credentialSchema)) return;
  const isStored =
    before.authMode === after.authMode &&
    isDeepStrictEqual(before.credentialSchema, after.credentialSchema);
  if (isStored) return;
  throw new ProblemError('validation_failed', refusalTexts.schemaWithoutToken, {
    errors: [{ pointer: '/credentialSchema', code: 'invalid_value', message: CANNOT_SEND_TOKEN }],
  });
}

/** Users enter a credential only in the mode `user_token`. @throws ProblemError `auth_mode_mismatch` */
export function requireUserTokens({ authMode }: Pick<Integration, 'authMode'>): void {
  if (authMode === 'user_token') return;
  throw new ProblemError('auth_mode_mismatch', refusalTexts.notUserToken);
}

/**
 * Refuses a mode without personal credentials, which has no connections to test.
 *
 * @throws ProblemError `auth_mode_mismatch`
 */
export function requirePersonalMode({ authMode }: Pick<Integration, 'authMode'>): void {
  if (isPersonalMode(authMode)) return;
  throw new ProblemError('auth_mode_mismatch', refusalTexts.noConnections);
}

/** @throws ProblemError `auth_mode_mismatch`, `oauth_not_configured` */
export function requireOauth(integration: Integration): void {
  if (integration.authMode !== 'oauth') {
    throw new ProblemError('auth_mode_mismatch', refusalTexts.notOauth);
  }
  if (isOauthConfigured(oauthConfigOf(integration))) return;
  throw new ProblemError(
    'oauth_not_configured',
    `${credentialFailures.oauth_not_configured.sentence} Set one with PUT.`,
  );
}
