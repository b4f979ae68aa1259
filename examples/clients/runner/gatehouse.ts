import { connectMcpClient, launchGatehouse } from '@gatehouse/harness';
import { Gatehouse } from '@gatehouse/sdk';
import { startIdentityProvider, startUpstream, type Upstream } from '@gatehouse/testing';
import type { ToolCall } from './clients.ts';
import { startLongNamed } from './longest-name.ts';
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

/** An integration that needs an account of each person, by its own URL or by the one URL of its application. */
export interface Place {
  /** Its eras, or that it is the one URL. */
  readonly name: string;
  readonly eras: Eras;
  readonly gatewayUrl: string;
  readonly calls: {
    readonly connect: ToolCall;
    /** Of a tool that answers who the person is. */
    readonly whoami: ToolCall;
    /** Of the tool with the longest name. */
    readonly longest?: ToolCall;
  };
  /** The link that a person must see. */
  readonly connectLink: string;
  /** Calls of the upstream's tools so far. */
  countCalls(): number;
  /** Uses a limit of the integration up. @param token of a person who has connected @returns what frees it */
  useUpLimit(token: string): Promise<() => Promise<void>>;
}

/** A running Gatehouse with an integration for each kind of upstream, and an application with one URL for two. */
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
  const upstreams: Pick<Upstream, 'close'>[] = [];
  const addApplication = async (name: string): Promise<string> => {
    const oauth = { type: 'public', redirectUris: ['http://127.0.0.1/callback'] } as const;
    return (await gatehouse.applications.create({ name, oauth })).application.id;
  };
  const addPlace = async (applicationId: string, eras: Eras): Promise<Place> => {
    const era = eras === 'both' ? {} : { era: eras };
    const upstream = await startUpstream({ oauth: provider, ...era });
    upstreams.push(upstream);
    const { integration } = await gatehouse.integrations.create({
      name: 'Docs',
      url: upstream.url,
      authMode: 'oauth',
      oauth: { scopes: [] },
    });
    await gatehouse.applications.integrations.attach(applicationId, integration.id);
    const gatewayUrl = `${origin}/mcp/${applicationId}/${integration.id}`;
    return {
      name: eras,
      eras,
      calls: {
        connect: { tool: 'connect_account', part: 'connect_account' },
        whoami: { tool: 'whoami', part: 'whoami' },
      },
      gatewayUrl,
      connectLink: `${origin}/connect?integration=${integration.id}`,
      countCalls: () => upstream.calls.length,
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
  const addOneUrl = async (): Promise<Place> => {
    const applicationId = await addApplication('All');
    const docs = await addPlace(applicationId, 'both');
    const upstream = await startLongNamed();
    upstreams.push(upstream);
    const { integration } = await gatehouse.integrations.create({
      name: 'Long',
      url: upstream.url,
      authMode: 'none',
    });
    await gatehouse.applications.integrations.attach(applicationId, integration.id);
    const gatewayUrl = `${origin}/mcp/${applicationId}`;
    const { token } = await addPerson(baseUrl, accessToken, 'lister');
    const client = await connectMcpClient({ url: gatewayUrl, era: 'legacy', bearer: token });
    const longest = (await client.listTools()).find((name) => name.startsWith('long__'));
    await client.close();
    if (longest?.length !== 64) throw new Error(`The longest name is ${longest}.`);
    return {
      ...docs,
      name: 'one URL',
      gatewayUrl,
      calls: {
        connect: {
          tool: 'gatehouse__connect_account',
          part: 'connect_account',
          args: { integration: 'docs' },
        },
        whoami: { tool: 'docs__whoami', part: 'whoami' },
        longest: { tool: longest, part: 'long__' },
      },
    };
  };
  const places: Place[] = [];
  const assistant = await addApplication('Assistant');
  for (const eras of ALL_ERAS) places.push(await addPlace(assistant, eras));
  places.push(await addOneUrl());
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
