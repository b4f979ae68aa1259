import { expect, it } from 'vitest';
import { listKeys } from '../../../src/audit/signing-keys.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import type { PersonCaller } from '../../../src/identity/caller.ts';
import { createExports } from '../../../src/resources/audit-events/exports.ts';
import { createTestOrganization, key, vault } from '../../credentials/fixtures.ts';
import { useServer } from '../../support/server.ts';

const server = useServer({ encryptionKeys: [key] });

it('is verified with the public key alone', async () => {
  await server.call('POST', '/groups', { body: { name: 'Group' } });
  const { text } = await server.call('GET', '/audit-events/export');
  const [first] = await listKeys(server.store.db);
  async function* lines() {
    yield* text.trimEnd().split('\n');
  }
  const report = await verifyExport(lines(), { key: first?.publicKey ?? '' });
  expect(report).toMatchObject({ verdict: 'verified', findings: [], keyChecked: true });
  expect(text).toContain('group.created');
});

it('runs once at a time for an organization, and again when it is over', async () => {
  const { store } = server;
  const exports = createExports({ store, vault, version: '1.0.0' });
  const { organization, user } = (await server.call('GET', '/me')).body;
  const reader = callerOf(organization.id, user.id);
  const running = await exports.begin(reader, {});
  await expect(exports.begin(reader, {})).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': '10' },
  });
  const stranger = await createTestOrganization(store);
  (await exports.begin(callerOf(stranger.organizationId, stranger.userId), {})).end();
  running.end();
  (await exports.begin(reader, {})).end();
});

function callerOf(organizationId: string, userId: string): PersonCaller {
  const via = { kind: 'personal_token', id: userId } as const;
  const allowed = { scopes: ['management:read'], expiresAt: null, groupIds: [] } as const;
  return { kind: 'person', organizationId, userId, role: 'owner', via, ...allowed };
}

it('can begin again after a client has left', async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const headers = { authorization: `Bearer ${server.owner}` };
  const response = await fetch(`${server.baseUrl}/audit-events/export`, { headers, signal });
  leaving.abort();
  await expect(response.text()).rejects.toThrow();
  const status = async () => (await server.call('GET', '/audit-events/export')).status;
  await expect.poll(status).toBe(200);
});
