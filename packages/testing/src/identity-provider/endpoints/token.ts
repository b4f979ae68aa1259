import { createHash } from 'node:crypto';
import { authenticateClient } from '../clients/authenticate-client.ts';
import type { ProviderClient } from '../clients/client.ts';
import type { StoredToken } from '../grants/grant.ts';
import { signIdToken } from '../grants/id-token.ts';
import { issueTokens } from '../grants/issue-tokens.ts';
import { OauthError } from '../http/oauth-error.ts';
import type { Reply } from '../http/reply.ts';
import type { IssuedTokens } from '../shapes/issued-tokens.ts';
import { SHAPES } from '../shapes/shape.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Context, Endpoint } from './context.ts';
import { readResources } from './read-authorization-request.ts';

/** The token endpoint: codes and refresh tokens. Everything it changes, it changes in one step. */
export const token: Endpoint = async (request, context): Promise<Reply> => {
  const { form } = request;
  const { clients, settings } = context;
  if (request.method !== 'POST') throw new OauthError('invalid_request', 'Only POST is allowed.');
  const client = authenticateClient(request, clients, settings.authMethods);
  const shape = SHAPES[settings.shape];
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return shape.answer(await redeem(form, client, context));
    case 'refresh_token':
      return shape.answer(refresh(form, client, context));
    default:
      throw new OauthError('unsupported_grant_type', 'The grant type is not supported.');
  }
};

async function redeem(
  form: URLSearchParams,
  client: ProviderClient,
  context: Context,
): Promise<IssuedTokens> {
  const { grants, pending, settings, issuer } = context;
  const code = form.get('code') ?? '';
  const stored = findOwn(code, 'code', client, context);
  // A code that is used twice may have been stolen (RFC 6749, section 4.1.2).
  if (stored.state === 'used') grants.end(stored.grant, 'code_reused');
  const request = pending.ofCode(code);
  if (!request || !grants.isUsable(stored)) throw refused();
  checkProof(form, request);
  const narrowed = narrow(form, stored);
  stored.state = 'used';
  const isEarlierConsent = grants.all.some(
    ({ id, clientId, sub }) =>
      id !== stored.grant.id && clientId === client.clientId && sub === stored.sub,
  );
  const wantsRefresh =
    settings.shape !== 'google' ||
    (request.isOffline && (request.forcesConsent || !isEarlierConsent));
  const tokens = issueTokens(stored.grant, { ...narrowed, wantsRefresh }, grants, settings);
  const idToken = stored.scopes.includes('openid')
    ? await signIdToken(
        { ...idTokenClaims(stored, request, issuer, settings.users), ...settings.idTokenClaims },
        { signature: settings.idTokenSignature, clientSecret: client.clientSecret },
      )
    : undefined;
  return { ...tokens, grantType: 'authorization_code', idToken };
}

function refresh(form: URLSearchParams, client: ProviderClient, context: Context): IssuedTokens {
  const { grants, settings } = context;
  const stored = findOwn(form.get('refresh_token') ?? '', 'refresh', client, context);
  const { grant } = stored;
  if (stored.state === 'used') {
    grant.reusesDetected += 1;
    grants.end(grant, 'refresh_token_reused');
  }
  if (!grants.isUsable(stored)) throw refused();
  const narrowed = narrow(form, stored);
  const replaces = settings.rotation && settings.shape !== 'google';
  if (replaces) stored.state = 'used';
  grant.refreshes += 1;
  const tokens = issueTokens(grant, { ...narrowed, wantsRefresh: replaces }, grants, settings);
  return { ...tokens, grantType: 'refresh_token', idToken: undefined };
}

function findOwn(
  value: string,
  kind: StoredToken['kind'],
  client: ProviderClient,
  { grants }: Context,
): StoredToken {
  const stored = grants.find(value);
  if (stored?.kind !== kind || stored.grant.clientId !== client.clientId) throw refused();
  return stored;
}

/** One text for every reason, so that a client cannot come to depend on it. */
function refused(): OauthError {
  return new OauthError('invalid_grant', 'The code or refresh token is not valid.');
}

/** The redirect URI (RFC 6749, section 4.1.3) and the PKCE verifier (RFC 7636, section 4.6). */
function checkProof(form: URLSearchParams, { redirectUri, codeChallenge }: AuthorizationRequest) {
  if (form.get('redirect_uri') !== redirectUri) throw refused();
  if (codeChallenge === undefined) return;
  const verifier = form.get('code_verifier') ?? '';
  const digest = createHash('sha256').update(verifier).digest('base64url');
  if (digest !== codeChallenge) throw refused();
}

/** Scopes and resources of the request, which may only be fewer than those of the grant. */
function narrow(form: URLSearchParams, { grant }: StoredToken) {
  const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (!scopes.every((scope) => grant.scopes.includes(scope))) {
    throw new OauthError('invalid_scope', 'A scope was not granted.');
  }
  const granted = grant.resources.length > 0 ? grant.resources : null;
  const resources = readResources(form.getAll('resource'), granted);
  return {
    scopes: scopes.length > 0 ? scopes : grant.scopes,
    resources: resources.length > 0 ? resources : grant.resources,
  };
}

function idTokenClaims(
  { sub, grant }: StoredToken,
  { nonce }: AuthorizationRequest,
  issuer: string,
  users: Context['settings']['users'],
): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  const user = users.find((known) => known.sub === sub);
  const profile = user && { email: user.email, email_verified: true, name: user.name };
  return { iss: issuer, aud: grant.clientId, sub, iat: now, exp: now + 3600, nonce, ...profile };
}
