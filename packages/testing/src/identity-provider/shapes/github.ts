import type { OauthError } from '../http/oauth-error.ts';
import type { Reply } from '../http/reply.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/** Form-encoded, with scopes separated by commas: what GitHub sends without `Accept: application/json`. */
export function githubAnswer(tokens: IssuedTokens): Reply {
  const { accessToken, refreshToken, expiresIn, scopes } = tokens;
  return formReply({
    access_token: accessToken,
    ...(expiresIn !== undefined && { expires_in: String(expiresIn) }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scopes.join(','),
    token_type: 'bearer',
  });
}

/** With status 200 and names of GitHub's own. */
export function githubError({ error, message }: OauthError, grantType: string | null): Reply {
  return formReply({ error: nameOf(error, grantType), error_description: message });
}

function nameOf(error: string, grantType: string | null): string {
  if (error === 'invalid_client') return 'incorrect_client_credentials';
  if (error !== 'invalid_grant') return error;
  return grantType === 'refresh_token' ? 'bad_refresh_token' : 'bad_verification_code';
}

function formReply(fields: Readonly<Record<string, string>>): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      'Cache-Control': 'no-store',
    },
    body: new URLSearchParams(fields).toString(),
  };
}
