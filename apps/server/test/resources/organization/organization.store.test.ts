import { describe, expect, it } from 'vitest';
import {
  authorizeParameters,
  createClient,
  createPkce,
  parametersOf,
  signedInBrowser,
} from '../../authorization-server/fixture.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const rename = (name: string, token = server.owner) =>
  server.call('PATCH', '/organization', { token, body: { name } });

describe('PATCH /organization', () => {
  it('gives the name that a person reads when a client asks for their consent', async () => {
    expect((await rename('Example Ltd.')).status).toBe(200);
    const client = await createClient(server);
    const browser = await signedInBrowser(server);
    const query = parametersOf(authorizeParameters(client, createPkce()));
    const { headers } = await browser.get(`/oauth/authorize?${query}`);
    const page = await browser.get(headers.get('location') ?? '');
    expect(await page.text()).toContain('asks to work for you at Example Ltd.');
  });

  it('waits for changes of members, which wait for it', async () => {
    const [one, other] = [await server.addMember('admin'), await server.addMember('admin')];
    const renameMember = (id: string, token: string) =>
      server.call('PATCH', `/members/${id}`, { token, body: { name: crypto.randomUUID() } });
    const changes = Array.from({ length: 5 }, (_, round) => [
      rename(`Round ${round}`, one.token),
      rename(`Turn ${round}`, other.token),
      renameMember(one.id, other.token),
      renameMember(other.id, one.token),
    ]);
    const statuses = (await Promise.all(changes.flat())).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
