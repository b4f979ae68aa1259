import { allowsRedirect, type ProviderClient } from '../clients/client.ts';
import { OauthError } from '../http/oauth-error.ts';
import { htmlReply, type Reply, redirectReply } from '../http/reply.ts';
import type { ProviderSettings, ProviderUser } from '../settings.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { consentPage, errorPage } from './consent-page.ts';
import type { Context, Endpoint } from './context.ts';
import { readAuthorizationRequest } from './read-authorization-request.ts';

const CODE_SECONDS = 60;

/** The authorization endpoint: shows the consent page, or redirects at once where no page is wanted. */
export const authorize: Endpoint = async ({ query }, context) => {
  const client = await context.clients.resolve(query.get('client_id') ?? '');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!client || !allowsRedirect(client, redirectUri)) {
    return htmlReply(400, errorPage('The client or its redirect URI is not known.'));
  }
  const read = readOrRefuse(query, client, redirectUri, context);
  if ('status' in read) return read;
  const user = approvingUser(context.settings, read.loginHint);
  if (user) return approve(read, user.sub, context);
  return htmlReply(200, consentPage(context.pending.add(read), read, context));
};

/** Where the consent page is submitted to. */
export const consent: Endpoint = ({ form }, context) => {
  const request = context.pending.take(form.get('request') ?? '');
  if (!request) return htmlReply(400, errorPage('This page has been submitted before.'));
  if (form.get('decision') === 'approve') {
    const sub = form.get('sub');
    const user = context.settings.users.find((known) => known.sub === sub);
    if (!user) return htmlReply(400, errorPage('The user is not known.'));
    return approve(request, user.sub, context);
  }
  const { redirectUri, state } = request;
  return answer(redirectUri, state, { error: 'access_denied' }, context);
};

function readOrRefuse(
  query: URLSearchParams,
  client: ProviderClient,
  redirectUri: string,
  context: Context,
): AuthorizationRequest | Reply {
  try {
    return readAuthorizationRequest(query, client, redirectUri, context.settings);
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    const fields = { error: error.error, error_description: error.message };
    return answer(redirectUri, query.get('state') ?? undefined, fields, context);
  }
}

function approvingUser(settings: ProviderSettings, hint?: string): ProviderUser | undefined {
  const { autoApprove, users } = settings;
  if (autoApprove === false) return undefined;
  if (autoApprove !== true) return users.find(({ sub }) => sub === autoApprove);
  return users.find(({ sub, email }) => hint === sub || hint === email) ?? users[0];
}

function approve(request: AuthorizationRequest, sub: string, context: Context): Reply {
  const { client, scopes, resources, redirectUri, state } = request;
  const grant = context.grants.open({ clientId: client.clientId, sub, scopes, resources });
  const code = context.grants.issue(grant, { kind: 'code', seconds: CODE_SECONDS });
  context.pending.setCode(code, request);
  return answer(redirectUri, state, { code }, context);
}

function answer(
  redirectUri: string,
  state: string | undefined,
  fields: Readonly<Record<string, string>>,
  { issuer, settings }: Context,
): Reply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  if (settings.iss) url.searchParams.set('iss', issuer);
  return redirectReply(url);
}
