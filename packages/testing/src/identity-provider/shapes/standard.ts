import { errorReply, type OauthError } from '../http/oauth-error.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/** RFC 6749, section 5.1. */
export function standardAnswer(tokens: IssuedTokens): Reply {
  return jsonReply(200, {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope: tokens.scopes.join(' '),
    id_token: tokens.idToken,
  });
}

/** RFC 6749, section 5.2. */
export function standardError(error: OauthError): Reply {
  return errorReply(error);
}
