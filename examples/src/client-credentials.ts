import { Gatehouse } from '@gatehouse/sdk';
import {
  type AuthProvider,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import * as oauth from 'openid-client';
import type { Environment, Print } from './environment.ts';

/**
 * A program that no person signs in to, such as a nightly job: it acts for itself, by its client secret
 * (client credentials). It can use integrations with the organization's token or without a credential.
 */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { clientId, clientSecret, gatewayUrl } = await register(environment);

  const issuer = new URL(new URL(gatewayUrl).origin);
  const config = await oauth.discovery(issuer, clientId, clientSecret, undefined, {
    algorithm: 'oauth2',
    // For a Gatehouse on this computer. Leave it out where Gatehouse has https.
    execute: [oauth.allowInsecureRequests],
  });

  const client = new Client({ name: 'nightly-job', version: '1.0.0' });
  const authProvider = new OwnToken(config, gatewayUrl);
  await client.connect(new StreamableHTTPClientTransport(new URL(gatewayUrl), { authProvider }));
  const { content } = await client.callTool({ name: 'add', arguments: { a: 20, b: 22 } });
  print(`20 + 22 = ${content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`);
  await client.close();
}

/** Set up once by an administrator of Gatehouse. The program needs the three values it returns. */
async function register({ baseUrl, accessToken, mcpUrl, mcpToken }: Environment) {
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const { integration } = await gatehouse.integrations.create({
    name: 'Calculator',
    url: mcpUrl,
    authMode: 'server_token',
    serverToken: mcpToken,
  });
  const { application, oauth: secrets } = await gatehouse.applications.create({
    name: 'Nightly job',
    oauth: { type: 'confidential', redirectUris: [] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  const gatewayUrl = `${new URL(baseUrl).origin}/mcp/${application.id}/${integration.id}`;
  return { clientId: application.id, clientSecret: secrets.clientSecret, gatewayUrl };
}

/** Gets a token at first, and another when the gateway refuses it: it lasts 10 minutes. */
class OwnToken implements AuthProvider {
  readonly #config: oauth.Configuration;
  readonly #gatewayUrl: string;
  #token: string | undefined;

  constructor(config: oauth.Configuration, gatewayUrl: string) {
    this.#config = config;
    this.#gatewayUrl = gatewayUrl;
  }

  async token(): Promise<string> {
    this.#token ??= await this.#request();
    return this.#token;
  }

  async onUnauthorized(): Promise<void> {
    this.#token = await this.#request();
  }

  async #request(): Promise<string> {
    const resource = this.#gatewayUrl;
    const tokens = await oauth.clientCredentialsGrant(this.#config, { resource });
    return tokens.access_token;
  }
}
