import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

it.each([
  ['user', 'of-a-user', (memberId: string) => ({ userId: memberId })],
  ['key', 'of-a-key', () => ({ key: 'another-key' })],
])(
  'a stored response that was reassigned to another %s in the database is not replayed',
  async (part, key, change) => {
    const { store, call, owner } = server;
    const created = await call('POST', '/tokens', { token: owner, ...requestWith(key) });
    const member = await server.addMember('member');
    const row = await store.db.idempotencyKey.findFirstOrThrow({ where: { key } });
    await store.db.idempotencyKey.update({ where: { id: row.id }, data: change(member.id) });
    const replayed =
      part === 'user'
        ? await call('POST', '/tokens', { token: member.token, ...requestWith(key) })
        : await call('POST', '/tokens', { token: owner, ...requestWith('another-key') });
    expect(replayed.status).toBe(500);
    expect(replayed.text).not.toContain(created.body.secret);
  },
);

function requestWith(key: string) {
  return { headers: { 'Idempotency-Key': key }, body: { name: 'Script', scopes: ['mcp'] } };
}
