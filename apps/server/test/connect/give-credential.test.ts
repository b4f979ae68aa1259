import { expect, it } from 'vitest';
import { giveCredential } from '../../src/credentials/connect/give-credential.ts';
import { actorInBrowser, type SignedInPerson } from '../../src/identity/browser-sessions.ts';
import { createClient } from '../authorization-server/fixture.ts';
import { vault } from '../credentials/fixtures.ts';
import { useServer } from '../support/server.ts';

/* What changes between the reading of the form and the transaction that stores what it holds. */

const REQUEST = { id: 'request', address: '192.0.2.1' };

const server = useServer();
const db = () => server.store.db;

async function start() {
  const { integrationId: id } = await createClient(server, { authMode: 'user_token' });
  const { id: userId } = await server.addMember('member');
  const { id: _id, ...user } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const person: SignedInPerson = { ...user, sessionId: userId, userId };
  const seen = await db().integration.findUniqueOrThrow({ where: { id } });
  const give = (integration = seen) =>
    giveCredential({ store: server.store, vault }, actorInBrowser(person, REQUEST), integration, {
      token: 'sesame-1',
    });
  return { id, userId, seen, give };
}

it('stores a credential for an integration that is as the person saw it', async () => {
  const { userId, give } = await start();
  expect(await give()).toBe(true);
  expect(await db().connection.count({ where: { userId } })).toBe(1);
});

it.each([
  ['is archived', { archivedAt: new Date() }],
  ['has another mode', { authMode: 'none' as const }],
  ['has another host', { url: 'http://127.0.0.1:10/mcp' }],
  ['has another schema', { credentialSchema: { properties: { a: { type: 'string' } } } }],
])('stores nothing if the integration now %s', async (_what, data) => {
  const { id, userId, give } = await start();
  await db().integration.update({ where: { id }, data });
  expect(await give()).toBe(false);
  expect(await db().connection.count({ where: { userId } })).toBe(0);
});

it('stores nothing for a foreign integration', async () => {
  const { seen, userId, give } = await start();
  const organization = await db().organization.create({
    data: { id: userId, name: 'Other', createdAt: new Date() },
  });
  await db().integration.update({
    where: { id: seen.id },
    data: { organizationId: organization.id },
  });
  expect(await give()).toBe(false);
  await db().integration.update({ where: { id: seen.id }, data: seen as never });
  await db().organization.delete({ where: { id: organization.id } });
});

it('stores nothing for a person who is no longer a member', async () => {
  const { userId, give } = await start();
  await db().user.delete({ where: { id: userId } });
  await expect(give()).rejects.toMatchObject({ code: 'unauthenticated' });
});
