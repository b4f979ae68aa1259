import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gatehouse } from '@gatehouse/sdk';
import {
  type AuthProvider,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import * as oauth from 'openid-client';
import type { Print, SignInEnvironment } from './environment.ts';

/**
 * A program on a person's computer: the person allows it in the browser, and it calls a tool for them
 * (authorization code with PKCE). The library checks `state` and `iss`, which prove that an answer
 * comes from Gatehouse.
 */
export async function main(environment: SignInEnvironment, print: Print): Promise<void> {
  const { clientId, gatewayUrl } = await register(environment);

  const issuer = new URL(new URL(gatewayUrl).origin);
  const config = await oauth.discovery(issuer, clientId, undefined, oauth.None(), {
    algorithm: 'oauth2',
    // For a Gatehouse on this computer. Leave it out where Gatehouse has https.
    execute: [oauth.allowInsecureRequests],
  });

  const account = new Account(config, await signIn(config, gatewayUrl, environment.openBrowser));
  print(`20 + 22 = ${await add(gatewayUrl, account, 20, 22)}`);

  await account.refresh();
  print(`With a new access token: 1 + 1 = ${await add(gatewayUrl, account, 1, 1)}`);

  await account.end();
  await add(gatewayUrl, account, 1, 1).catch(() => print('After the end: no access'));
}

/** Set up once by an administrator of Gatehouse. The program needs the two values it returns. */
async function register({ baseUrl, accessToken, mcpUrl, mcpToken }: SignInEnvironment) {
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const { integration } = await gatehouse.integrations.create({
    name: 'Calculator',
    url: mcpUrl,
    authMode: 'server_token',
    serverToken: mcpToken,
  });
  const { application } = await gatehouse.applications.create({
    name: 'Desktop assistant',
    // It runs on other people's computers and keeps no secret. Any port of 127.0.0.1 will do.
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  const gatewayUrl = `${new URL(baseUrl).origin}/mcp/${application.id}/${integration.id}`;
  return { clientId: application.id, gatewayUrl };
}

type Tokens = Awaited<ReturnType<typeof oauth.authorizationCodeGrant>>;

async function signIn(
  config: oauth.Configuration,
  gatewayUrl: string,
  openBrowser: SignInEnvironment['openBrowser'],
): Promise<Tokens> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/callback`,
    resource: gatewayUrl,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const [answer] = await Promise.all([waitForAnswer(server, origin), openBrowser(url.href)]);
  return oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState });
}

/** The URL with which the browser comes back from Gatehouse. */
function waitForAnswer(server: Server, origin: string): Promise<URL> {
  return new Promise((resolve) => {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', origin);
      // Browsers also ask for an icon.
      if (url.pathname !== '/callback') return response.writeHead(404).end();
      response.setHeader('Connection', 'close');
      response.end('You can close this window.');
      server.close();
      resolve(url);
    });
  });
}

/** A person's tokens. A program that runs again tomorrow keeps the refresh token in the system's keychain. */
class Account implements AuthProvider {
  readonly #config: oauth.Configuration;
  #tokens: Tokens;

  constructor(config: oauth.Configuration, tokens: Tokens) {
    this.#config = config;
    this.#tokens = tokens;
  }

  /** Asked by the MCP client before each request. */
  async token(): Promise<string> {
    return this.#tokens.access_token;
  }

  /** Called by the MCP client when the gateway refuses the token, which lasts 10 minutes. */
  onUnauthorized(): Promise<void> {
    return this.refresh();
  }

  async refresh(): Promise<void> {
    // The old refresh token is used up: from now on the new one counts.
    this.#tokens = await oauth.refreshTokenGrant(this.#config, this.#refreshToken);
  }

  /** Ends what the person allowed, with every token. */
  async end(): Promise<void> {
    await oauth.tokenRevocation(this.#config, this.#refreshToken);
  }

  get #refreshToken(): string {
    return this.#tokens.refresh_token ?? '';
  }
}

async function add(gatewayUrl: string, authProvider: AuthProvider, a: number, b: number) {
  const client = new Client({ name: 'desktop-assistant', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(gatewayUrl), { authProvider }));
  const { content } = await client.callTool({ name: 'add', arguments: { a, b } });
  await client.close();
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
