import type { OauthError } from '../http/oauth-error.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/**
 * A code gives two tokens: the bot's at the top with `token_type: bot`, the user's in `authed_user`. A
 * refresh gives the user's alone, at the top.
 */
export function slackAnswer(tokens: IssuedTokens): Reply {
  const scope = tokens.scopes.join(',');
  const user = {
    access_token: tokens.accessToken,
    token_type: 'user',
    refresh_token: tokens.refreshToken,
    expires_in: tokens.expiresIn,
    scope,
  };
  const team = { id: 'T0000000', name: 'Test workspace' };
  if (tokens.grantType === 'refresh_token') return jsonReply(200, { ok: true, ...user, team });
  return jsonReply(200, {
    ok: true,
    app_id: 'A0000000',
    authed_user: { id: tokens.sub, ...user },
    team,
    enterprise: null,
    access_token: tokens.botToken,
    token_type: 'bot',
    bot_user_id: 'B0000000',
    scope: '',
  });
}

const NAMES: Readonly<Record<string, string>> = {
  invalid_client: 'bad_client_secret',
  unsupported_grant_type: 'invalid_grant_type',
};

/** `ok: false` with status 200 and names of Slack's own. */
export function slackError({ error }: OauthError, grantType: string | null): Reply {
  const refused = grantType === 'refresh_token' ? 'invalid_refresh_token' : 'invalid_code';
  const name = error === 'invalid_grant' ? refused : (NAMES[error] ?? error);
  return jsonReply(200, { ok: false, error: name });
}
