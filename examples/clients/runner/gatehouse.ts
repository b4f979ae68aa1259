import { launchGatehouse } from '@gatehouse/harness';
import { Gatehouse } from '@gatehouse/sdk';
import { startIdentityProvider, startUpstream } from '@gatehouse/testing';

/** A member of the organization who has not connected an account. */
export interface Person {
  readonly email: string;
  /** With the scope `mcp` alone. */
  readonly token: string;
  /** Signs them in, once. */
  signInLink(): Promise<string>;
}

/** A running Gatehouse with one integration, which needs an account of each person. */
export interface Surroundings {
  readonly gatewayUrl: string;
  /** How a link to connect begins, which a person must see. */
  readonly connectLink: string;
  addPerson(name: string): Promise<Person>;
  close(): Promise<void>;
}

/** What the upstream's tool `whoami` answers: the person at the provider. */
export const ACCOUNT = 'ada';

/** Starts the built server, a provider, and an MCP server that takes the provider's tokens alone. */
export async function startSurroundings(): Promise<Surroundings> {
  const provider = await startIdentityProvider();
  const upstream = await startUpstream({ oauth: provider });
  const server = await launchGatehouse();
  const { baseUrl, origin, bootstrapToken: accessToken } = server;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const { integration } = await gatehouse.integrations.create({
    name: 'Docs',
    url: upstream.url,
    authMode: 'oauth',
    oauth: { scopes: [] },
  });
  const { application } = await gatehouse.applications.create({
    name: 'Assistant',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  return {
    gatewayUrl: `${origin}/mcp/${application.id}/${integration.id}`,
    connectLink: `${origin}/connect?integration=${integration.id}`,
    async addPerson(name) {
      const email = `${name}@example.com`;
      const { invitation } = await post(`${baseUrl}/members`, accessToken, { email, name, role: 'member' });
      const { secret } = await post(`${baseUrl}/tokens`, invitation, { name, scopes: ['mcp'] });
      return { email, token: secret, signInLink: () => server.signInLink(email) };
    },
    async close() {
      await server.dispose();
      await upstream.close();
      await provider.close();
    },
  };
}

/** Members are added over HTTP alone. */
async function post(url: string, token: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url}: ${await response.text()}`);
  return response.json();
}
