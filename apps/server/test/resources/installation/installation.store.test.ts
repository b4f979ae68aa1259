import { randomBytes, randomUUID } from 'node:crypto';
import type { Installation } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { writeNode } from '../../../src/vault/node-keys.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { useServer } from '../../support/server.ts';

const nodeId = randomUUID();
const secrets = {
  metricsToken: randomBytes(32).toString('base64url'),
  clientSecret: randomBytes(32).toString('base64url'),
  key: randomBytes(32),
};
const server = useServer({
  nodeId,
  version: '1.4.0',
  keySource: 'file',
  metricsToken: secrets.metricsToken,
  passwordSignIn: false,
  rateLimit: 1_000_000,
  encryptionKeys: [
    { id: 'second', key: secrets.key },
    { id: 'first', key: randomBytes(32) },
  ],
  externalSignIn: {
    issuer: 'https://id.example',
    clientId: 'gatehouse',
    clientSecret: secrets.clientSecret,
    allowedDomains: [],
    roleClaim: undefined,
    groupsClaim: 'groups',
  },
});

async function read(): Promise<Installation> {
  return (await server.call('GET', '/installation')).body.installation;
}

describe('GET /installation', () => {
  it('says what the answering node and its database are', async () => {
    const { versions, store, publicUrl, logLevel } = await read();
    expect(versions).toEqual({ gatehouse: '1.4.0', build: null, node: process.versions.node });
    expect(store.kind).toBe(testDatabaseKind === 'pglite' ? 'embedded' : 'postgresql');
    expect(store.version).toMatch(/^\d{2}\.\d+$/);
    expect([publicUrl, logLevel]).toEqual([server.origin, 'silent']);
  });

  it('lists the nodes that run, and says which one answers', async () => {
    const { db } = server.store;
    const keyIds = ['second', 'first'];
    const other = { id: randomUUID(), name: 'other:2', version: '1.3.9', keyIds };
    await writeNode(db, { id: nodeId, name: 'this:1', version: '1.4.0', keyIds });
    // Before the other one, also where both are written within a millisecond.
    await db.node.update({
      where: { id: nodeId },
      data: { startedAt: new Date(Date.now() - 100) },
    });
    await writeNode(db, other);
    await writeNode(db, { ...other, id: randomUUID(), name: 'gone:3' });
    await db.node.updateMany({ where: { name: 'gone:3' }, data: { leaseUntil: new Date(0) } });
    const { nodes } = await read();
    const shown = nodes.map(({ name, version, answering }) => [name, version, answering]);
    expect(shown).toEqual([
      ['this:1', '1.4.0', true],
      ['other:2', '1.3.9', false],
    ]);
    for (const { startedAt, lastSeenAt } of nodes) {
      expect(Math.abs(Date.parse(lastSeenAt) - Date.parse(startedAt))).toBeLessThan(1_000);
      expect(Math.abs(Date.parse(lastSeenAt) - Date.now())).toBeLessThan(60_000);
    }
  });

  it('names the keys, the active one, and since when they are known, and shows no key', async () => {
    await server.store.db.keyCheck.updateMany({
      where: { keyId: 'first' },
      data: { addedAt: null },
    });
    const { source, encryption } = (await read()).keys;
    expect(source).toBe('file');
    expect(encryption).toEqual([
      { id: 'second', active: true, addedAt: expect.any(String) },
      { id: 'first', active: false, addedAt: null },
    ]);
    const { text } = await server.call('GET', '/installation');
    const hidden = [secrets.metricsToken, secrets.clientSecret, secrets.key.toString('base64')];
    for (const secret of hidden) expect(text).not.toContain(secret);
  });

  it('says how people sign in, and which limits are set', async () => {
    const { signIn, limits } = await read();
    expect(signIn).toEqual({
      ways: ['link', 'provider'],
      issuer: 'https://id.example',
      groupsClaim: true,
    });
    expect(limits).toContainEqual({
      name: 'managementRequests',
      value: 1_000_000,
      unit: 'requests_per_minute',
    });
    expect(limits).toContainEqual({
      name: 'sessionLegacy',
      value: 86_400_000,
      unit: 'milliseconds',
    });
    expect(limits).toContainEqual({
      name: 'usage',
      value: 400 * 86_400_000,
      unit: 'milliseconds',
    });
  });
});
