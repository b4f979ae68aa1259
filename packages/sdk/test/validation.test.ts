import { contract } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { responseValidator } from '../src/validation.ts';
import { rejection } from './support/rejection.ts';
import { json, startServer } from './support/server.ts';

const validateResponse = responseValidator(contract);

const me = {
  user: {
    id: '01936f6e-0000-7000-8000-000000000001',
    email: 'ada@example.com',
    name: 'Ada',
    role: 'owner',
  },
  organization: { id: '01936f6e-0000-7000-8000-000000000002', name: 'Example' },
  authentication: { method: 'personal_token', scopes: ['management:read'] },
};

async function answering(body: unknown, status = 200) {
  const server = await startServer((response) => json(response, status, body));
  return server.client({ validateResponse });
}

describe('a client that validates', () => {
  it('accepts what the contract says, and what later versions add', async () => {
    const body = { ...me, added: 'later', user: { ...me.user, avatar: null } };
    expect(await (await answering(body)).me()).toEqual(body);
  });

  it('refuses an answer of another shape, naming the place and not the value', async () => {
    const client = await answering({ ...me, user: { ...me.user, name: 7, email: 'hush' } });
    const error = await rejection(client.me());
    expect(error).toMatchObject({ name: 'InvalidResponseError', code: 'invalid_response' });
    expect(error.message).toContain('/user/name');
    expect(error.message).not.toContain('hush');
  });

  it('refuses a status that is not in the contract', async () => {
    const error = await rejection((await answering(me, 202)).me());
    expect(error.message).toContain('202');
  });

  it('validates the pages of a list', async () => {
    const client = await answering({ items: [{ id: 'not an integration' }], nextCursor: null });
    const error = await rejection(client.integrations.list());
    expect(error.message).toContain('/items/0/');
  });
});

it('a client that does not validate takes answers as they are', async () => {
  const server = await startServer((response) => json(response, 200, { user: 7 }));
  expect(await server.client().me()).toEqual({ user: 7 });
});
