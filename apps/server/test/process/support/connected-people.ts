import type { LaunchedGatehouse } from '@gatehouse/harness';
import { type IdentityProvider, startIdentityProvider, startUpstream } from '@gatehouse/testing';
import type { Store } from '../../../src/platform/database/store.ts';
import { key } from '../../credentials/fixtures.ts';
import { CLIENT, connectPerson, PUBLIC_URL } from '../../credentials/oauth/grants.ts';
import { afterFile } from '../../support/after-file.ts';
import type { Api } from './api.ts';
import { noteSecret } from './logs.ts';
import { addMember, createRoute, type TestMember, type TestRoute } from './routes.ts';

/** For servers where the test itself writes the connections. */
export const knownKey = { GATEHOUSE_ENCRYPTION_KEYS: `test:${key.key.toString('base64')}` };

/** A member with an account at the provider. */
export interface ConnectedPerson extends TestMember {
  readonly connectionId: string;
  /** Who they are at the provider. */
  readonly sub: string;
}

const MAX_PEOPLE = 200;
const subs = Array.from({ length: MAX_PEOPLE }, (_, index) => `person-${index}`);

/** An upstream that takes the tokens of a provider, which rotates refresh tokens and detects reuse. */
export async function startOauthUpstream(accessTokenSeconds: number) {
  const provider = await startIdentityProvider({
    accessTokenSeconds,
    users: subs.map((sub) => ({ sub, email: `${sub}@example.com`, name: sub })),
  });
  const upstream = await startUpstream({ oauth: provider });
  afterFile(async () => {
    for (const secret of provider.issuedSecrets()) noteSecret('a secret of the provider', secret);
    await upstream.close();
    await provider.close();
  });
  return { provider, upstream };
}

/** The route to an OAuth upstream. */
export async function createOauthRoute(
  api: Api,
  { url }: { readonly url: string },
  provider: IdentityProvider,
): Promise<TestRoute> {
  const route = await createRoute(api, { url, authMode: 'oauth' });
  const known = provider.clients.flatMap(({ redirectUris }) => redirectUris);
  const redirectUri = `${PUBLIC_URL}/oauth/callback/${route.integrationId}`;
  provider.addClient({ ...CLIENT, redirectUris: [...known, redirectUri] });
  const oauth = { provider: 'test', issuer: provider.issuer, scopes: [], ...CLIENT };
  await api.expect(200, 'PUT', `/integrations/${route.integrationId}/oauth`, { body: oauth });
  return route;
}

/** A member, and who that is at the provider. */
type Person = Omit<ConnectedPerson, 'connectionId'>;

export async function addPeople(api: Api, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (const sub of subs.slice(0, count)) people.push({ ...(await addMember(api)), sub });
  return people;
}

/** Connects them, with tokens that the provider issues at once. */
export async function connectPeople(
  store: Store,
  provider: IdentityProvider,
  route: TestRoute,
  people: readonly Person[],
): Promise<ConnectedPerson[]> {
  const connected: ConnectedPerson[] = [];
  for (const person of people) {
    const { connectionId } = await connectPerson(store, provider, route, person.id, person.sub);
    connected.push({ ...person, connectionId });
  }
  return connected;
}

/** Calls a tool that says who the upstream takes the caller for. Answers why not, if it does not. */
export async function whoami(
  { origin }: Pick<LaunchedGatehouse, 'origin'>,
  { path }: TestRoute,
  { token }: TestMember,
): Promise<{ readonly sub: string } | { readonly failure: string }> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'whoami', arguments: {}, _meta: meta };
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await response.text();
  const sub = /"text":"(person-\d+)"/.exec(text)?.[1];
  return sub === undefined ? { failure: `${response.status} ${text.slice(0, 300)}` } : { sub };
}
