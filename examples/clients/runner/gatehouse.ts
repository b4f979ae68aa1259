import { launchGatehouse } from '@gatehouse/harness';
import { Gatehouse } from '@gatehouse/sdk';
import { startIdentityProvider, startUpstream, type Upstream } from '@gatehouse/testing';
import { useUpLimit } from './use-up-limit.ts';

/** A member of the organization who has not connected an account. */
export interface Person {
  readonly email: string;
  /** With the scope `mcp` alone. */
  readonly token: string;
  /** A page on which they choose a password. */
  readonly passwordLink: string;
}

/** The eras of MCP that an upstream speaks. */
export type Eras = 'both' | 'legacy' | 'modern';

const ALL_ERAS: readonly Eras[] = ['both', 'legacy', 'modern'];

/** An integration that needs an account of each person. */
export interface Place {
  readonly eras: Eras;
  readonly gatewayUrl: string;
  /** The link that a person must see. */
  readonly connectLink: string;
  /** Calls of the upstream's tools so far. */
  readonly upstreamCalls: number;
  /** Uses a limit of the integration up. @param token of a person who has connected @returns what frees it */
  useUpLimit(token: string): Promise<() => Promise<void>>;
}

/** A running Gatehouse with an integration for each kind of upstream. */
export interface Surroundings {
  readonly places: readonly Place[];
  addPerson(name: string): Promise<Person>;
  close(): Promise<void>;
}

/** Starts the built server, a provider, and MCP servers that take the provider's tokens alone. */
export async function startSurroundings(): Promise<Surroundings> {
  const provider = await startIdentityProvider();
  const server = await launchGatehouse();
  const { baseUrl, origin, bootstrapToken: accessToken } = server;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const { application } = await gatehouse.applications.create({
    name: 'Assistant',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  const upstreams: Upstream[] = [];
  const addPlace = async (eras: Eras): Promise<Place> => {
    const era = eras === 'both' ? {} : { era: eras };
    const upstream = await startUpstream({ oauth: provider, ...era });
    upstreams.push(upstream);
    const { integration } = await gatehouse.integrations.create({
      name: 'Docs',
      url: upstream.url,
      authMode: 'oauth',
      oauth: { scopes: [] },
    });
    await gatehouse.applications.integrations.attach(application.id, integration.id);
    const gatewayUrl = `${origin}/mcp/${application.id}/${integration.id}`;
    return {
      eras,
      gatewayUrl,
      connectLink: `${origin}/connect?integration=${integration.id}`,
      get upstreamCalls() {
        return upstream.calls.length;
      },
      useUpLimit: (token) =>
        useUpLimit({
          gatewayUrl,
          era: eras === 'legacy' ? 'legacy' : 'modern',
          token,
          upstream,
          setLimits: (limits) => gatehouse.integrations.policy.put(integration.id, { limits }),
        }),
    };
  };
  const places: Place[] = [];
  for (const eras of ALL_ERAS) places.push(await addPlace(eras));
  return {
    places,
    addPerson: (name) => addPerson(baseUrl, accessToken, name),
    async close() {
      await server.dispose();
      for (const upstream of upstreams) await upstream.close();
      await provider.close();
    },
  };
}

/** The SDK adds no members. */
async function addPerson(baseUrl: string, accessToken: string, name: string): Promise<Person> {
  async function post(path: string, bearer: string, body: object) {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(baseUrl + path, init);
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
    return response.json();
  }
  const email = `${name}@example.com`;
  const { member, invitation } = await post('/members', accessToken, {
    email,
    name,
    role: 'member',
  });
  const { secret: token } = await post('/tokens', invitation, { name, scopes: ['mcp'] });
  const { url: passwordLink } = await post(`/members/${member.id}/sign-in-link`, accessToken, {});
  return { email, token, passwordLink };
}
