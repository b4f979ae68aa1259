import { createHash, randomBytes } from 'node:crypto';
import { createBrowserSessions } from '../../src/identity/browser-sessions.ts';
import type { TestServer } from '../support/server.ts';
import { Browser } from './browser.ts';

/** The redirect URI of {@link createClient}, where nothing listens: the browser follows no redirect. */
export const REDIRECT_URI = 'https://app.example.com/callback';

/** An application with an attached integration, as an OAuth client. */
export interface TestClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly integrationId: string;
  /** The gateway URL of the integration. */
  readonly mcpUrl: string;
}

export interface ClientOptions {
  readonly type?: 'public' | 'confidential';
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly string[];
  readonly allowedResources?: readonly string[];
  readonly pkceRequired?: boolean;
  readonly allowDynamicClients?: boolean;
  /** Of the integration. */
  readonly url?: string;
  readonly authMode?: string;
  readonly serverToken?: string;
}

export async function createClient(
  server: TestServer,
  options: ClientOptions = {},
): Promise<TestClient> {
  const {
    type = 'public',
    redirectUris = [REDIRECT_URI],
    url = 'http://127.0.0.1:9/mcp',
  } = options;
  const { authMode = 'none', serverToken, ...oauth } = { ...options, url: undefined };
  const integration = await server.call('POST', '/integrations', {
    body: { name: 'Docs', url, authMode, serverToken },
  });
  const created = await server.call('POST', '/applications', {
    body: { name: 'Agent', oauth: { ...oauth, type, redirectUris } },
  });
  const { id: clientId } = created.body.application;
  const integrationId: string = integration.body.integration.id;
  await server.call('POST', `/applications/${clientId}/integrations/${integrationId}`);
  return {
    clientId,
    clientSecret: created.body.oauth?.clientSecret,
    integrationId,
    mcpUrl: `${server.origin}/mcp/${clientId}/${integrationId}`,
  };
}

/** A browser in which this member is signed in; the owner when left out. */
export async function signedInBrowser(
  server: TestServer,
  userId?: string,
  publicUrl = server.origin,
): Promise<Browser> {
  const { db } = server.store;
  const id = userId ?? (await db.user.findFirstOrThrow({ where: { role: 'owner' } })).id;
  const browser = new Browser(publicUrl, server.origin);
  const sessions = createBrowserSessions(server.store, publicUrl);
  browser.accept(await sessions.begin({ userId: id, way: 'password' }, undefined));
  return browser;
}

/** A PKCE verifier and its challenge (RFC 7636). */
export function createPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parametersOf(values: Parameters): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const item of [value ?? []].flat()) parameters.append(name, item);
  }
  return parameters;
}

/** Goes through authorization in a browser until it leaves for the redirect URI. Those parameters come back. */
export async function authorize(
  server: Pick<TestServer, 'origin'>,
  browser: Browser,
  parameters: Parameters,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const first = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
  return goOn(server, browser, first, decision);
}

/** Follows a response until the browser leaves for the redirect URI, deciding on the way and giving no credentials. */
export async function goOn(
  server: Pick<TestServer, 'origin'>,
  browser: Browser,
  first: Response,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  let response = first;
  for (let step = 0; step < 8; step += 1) {
    const location = response.headers.get('location');
    if (location === null) {
      const page = await response.text();
      const app = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(page)?.[1];
      if (app !== undefined && !app.startsWith('/')) {
        return new URL(app.replaceAll('&amp;', '&')).searchParams;
      }
      if (!page.includes('name="decision"')) throw new Error(`Not a consent page: ${page}`);
      // A credential that is missing is given later.
      const isConnectPage = page.includes('value="later"');
      response = await browser.submit(page, { decision: isConnectPage ? 'later' : decision });
    } else {
      const url = new URL(location, server.origin);
      if (url.origin !== server.origin) return url.searchParams;
      response = await browser.get(url.href);
    }
  }
  throw new Error('The authorization does not end.');
}

export interface TokenAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  readonly body: any;
}

export async function requestToken(
  server: Pick<TestServer, 'origin'>,
  parameters: Parameters,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${server.origin}/oauth/token`, {
    method: 'POST',
    headers,
    body: parametersOf(parameters),
  });
  return { status: response.status, body: await response.json() };
}

type Pkce = ReturnType<typeof createPkce>;

/** A whole authorization request for the gateway URL of the client. */
export function authorizeParameters(client: TestClient, { challenge }: Pkce): Parameters {
  return {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: client.mcpUrl,
  };
}

export function redeemParameters(client: TestClient, { verifier }: Pkce, code: string): Parameters {
  return {
    grant_type: 'authorization_code',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  };
}

/** Authorizes a client and redeems the code. */
export async function obtainTokens(
  server: TestServer,
  browser: Browser,
  client: TestClient,
  parameters: Parameters = {},
): Promise<TokenAnswer> {
  const pkce = createPkce();
  const asked = { ...authorizeParameters(client, pkce), ...parameters };
  const back = await authorize(server, browser, asked);
  const redeem = redeemParameters(client, pkce, back.get('code') ?? '');
  return requestToken(server, { ...redeem, redirect_uri: asked.redirect_uri });
}
