import { expect, it } from 'vitest';
import { listKeys } from '../../../src/audit/signing-keys.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

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
  const exported = () => server.call('GET', '/audit-events/export');
  const both = await Promise.all([exported(), exported()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
  const refused = both.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('10');
  expect((await exported()).status).toBe(200);
});

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
