import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { createClient, obtainTokens, requestToken, signedInBrowser } from './fixture.ts';

const server = useServer();

interface Event {
  readonly action: string;
  readonly actor: Readonly<Record<string, unknown>>;
}

/** The events of an application once it has got tokens that often. */
async function issuedTo(applicationId: string, count: number): Promise<Event[]> {
  const path = `/audit-events?kind=call&action=token.issued&applicationId=${applicationId}`;
  const read = async (): Promise<Event[]> => (await server.call('GET', path)).body.items;
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(count);
  return read();
}

it('tokens for a person are an event with the person and the grant', async () => {
  const client = await createClient(server);
  const { clientId } = client;
  const { id } = await server.addMember('member');
  const { body } = await obtainTokens(server, await signedInBrowser(server, id), client);
  const [first] = await issuedTo(clientId, 1);
  expect(first?.actor).toMatchObject({ kind: 'person', id, via: { kind: 'grant' } });
  const { refresh_token } = body;
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
  expect((await requestToken(server, refresh)).status).toBe(200);
  const events = await issuedTo(clientId, 2);
  expect(JSON.stringify(events)).not.toContain(refresh_token);
});

it('a token for an application itself is an event with the application', async () => {
  const options = { type: 'confidential', redirectUris: [], scopes: ['mcp'] } as const;
  const { clientId, clientSecret } = await createClient(server, options);
  const own = { client_id: clientId, client_secret: clientSecret };
  expect((await requestToken(server, { grant_type: 'client_credentials', ...own })).status).toBe(
    200,
  );
  const [event] = await issuedTo(clientId, 1);
  const via = { kind: 'client_credentials', id: null };
  expect(event?.actor).toEqual({ kind: 'application', id: clientId, name: 'Agent', via });
});
