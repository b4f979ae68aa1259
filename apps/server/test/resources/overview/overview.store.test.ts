import type { Overview } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { createIntegration } from '../integrations/support.ts';

const server = useServer();
const DAY = 86_400_000;

async function read(token?: string): Promise<Overview> {
  return (await server.call('GET', '/overview', token ? { token } : {})).body.overview;
}

describe('what needs attention', () => {
  it('names invalid integrations, but not where the own connection is the cause', async () => {
    const { db } = server.store;
    const broken = await createIntegration(server, { name: 'Broken' });
    const own = await createIntegration(server, { name: 'Own', authMode: 'user_token' });
    await server.call('POST', `/integrations/${own.id}/connection`, { body: { token: 'x' } });
    await db.connection.updateMany({ data: { reason: 'rejected_upstream' } });
    await db.integration.updateMany({
      where: { id: { in: [broken.id, own.id] } },
      data: { validationStatus: 'invalid', validationMessage: 'Refused.' },
    });
    const { attention, connections } = await read();
    expect(attention.invalidIntegrations).toEqual({
      total: 1,
      items: [{ id: broken.id, name: 'Broken', message: 'Refused.' }],
    });
    const reason = 'rejected_upstream';
    expect(attention.connections.items).toEqual([{ integrationId: own.id, name: 'Own', reason }]);
    expect(connections).toBe(1);
    const { token } = await server.addMember('member');
    expect((await read(token)).attention.invalidIntegrations.total).toBe(2);
  });

  it('names certificates that expire within 14 days to admins alone', async () => {
    const { db } = server.store;
    for (const [name, days] of [
      ['Ended', -1],
      ['Later', 15],
      ['Soon', 13],
      ['Sooner', 2],
    ] as const) {
      const { id } = await createIntegration(server, { name });
      const certificateExpiresAt = new Date(Date.now() + days * DAY);
      await db.integration.update({ where: { id }, data: { certificateExpiresAt } });
    }
    const { certificates } = (await read()).attention;
    expect(certificates.total).toBe(2);
    expect(certificates.items.map(({ name }) => name)).toEqual(['Sooner', 'Soon']);
    const { token } = await server.addMember('member');
    expect((await read(token)).attention.certificates).toEqual({ total: 0, items: [] });
  });
});

it('is read by the same number of statements, however much there is', async () => {
  const count = async () => {
    server.store.statements();
    await read();
    return server.store.statements().length;
  };
  await read();
  const before = await count();
  for (let n = 0; n < 5; n += 1) await createIntegration(server, { authMode: 'user_token' });
  expect(await count()).toBe(before);
});
