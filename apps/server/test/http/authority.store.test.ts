import { describe, expect, it } from 'vitest';
import { requestOf } from '../support/operations.ts';
import { useServer } from '../support/server.ts';
import { describeAuthority, firstOfClass } from './authority.ts';

const server = useServer();

describeAuthority(firstOfClass, server);

describe('a member who is removed while writing', () => {
  it('gets 401 or has written before, and leaves nothing behind that needs the member', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, token } = await server.addMember('member');
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const [removed, ...written] = await Promise.all([
        server.call('DELETE', `/members/${id}`),
        ...['tokens.create', 'applications.create'].map((operation) => {
          const { method, path, body } = requestOf(operation);
          return server.call(method, path, { token, headers, body });
        }),
      ]);
      expect(removed?.status).toBe(200);
      for (const { status } of written) expect([201, 401]).toContain(status);
      expect(await server.store.db.token.count({ where: { userId: id } })).toBe(0);
    }
  });
});
