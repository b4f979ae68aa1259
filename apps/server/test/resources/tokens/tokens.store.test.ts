import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sweep } from '../../../src/housekeeping.ts';
import { defaultWindows } from '../../../src/sessions/windows.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const all = ['mcp', 'management:read', 'management:write'];

async function createToken(body: object, token?: string) {
  return server.call('POST', '/tokens', { body, ...(token ? { token } : {}) });
}

describe('GET /me', () => {
  it('requires a token', async () => {
    const { status, headers, body } = await server.call('GET', '/me', { token: null });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body.code).toBe('unauthenticated');
  });

  it('says invalid_token for an unknown token', async () => {
    const { status, headers } = await server.call('GET', '/me', { token: 'gh_pat_unknown' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('tells the user, the role, the organization and the token', async () => {
    const { status, body } = await server.call('GET', '/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      user: { id: expect.any(String), email: 'owner@localhost', name: 'Owner', role: 'owner' },
      organization: { id: expect.any(String), name: 'Default organization' },
      authentication: {
        method: 'personal_token',
        tokenId: expect.any(String),
        scopes: ['mcp', 'management:read', 'management:write'],
      },
    });
  });
});

describe('POST /tokens', () => {
  it('requires a token', async () => {
    expect((await server.call('POST', '/tokens', { token: null, body: {} })).status).toBe(401);
  });

  it('answers 201 with a secret that works, and a Location', async () => {
    const { status, headers, body } = await createToken({
      name: 'ci',
      scopes: ['management:read'],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${server.baseUrl}/tokens/${body.token.id}`);
    expect(body.secret).toMatch(/^gh_pat_[\w-]{43}$/);
    expect(body.token).toEqual({
      id: expect.any(String),
      name: 'ci',
      scopes: ['management:read'],
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
    });
    expect((await server.call('GET', '/tokens', { token: body.secret })).status).toBe(200);
  });

  it('refuses an expiry in the past and an unknown field by its pointer', async () => {
    const past = await createToken({
      name: 'x',
      scopes: all,
      expiresAt: '2020-01-01T00:00:00.000Z',
    });
    expect(past.status).toBe(400);
    expect(past.body.errors[0].pointer).toBe('/expiresAt');
    const unknown = await createToken({ name: 'x', scopes: all, expire: 1 });
    expect(unknown.body).toMatchObject({
      code: 'unknown_field',
      errors: [{ pointer: '/expire', code: 'unknown_field' }],
    });
  });

  it('stops at 1,000 tokens of a member, not counting those that have expired', async () => {
    const { id: userId, token } = await server.addMember('member');
    const { db } = server.store;
    const { organizationId, kind, scopes, createdAt } = await db.token.findFirstOrThrow({
      where: { userId, kind: 'personal' },
    });
    const rows = Array.from({ length: 999 }, (_, index) => {
      const id = crypto.randomUUID();
      const hash = Buffer.from(id);
      const expiresAt = index === 0 ? createdAt : null;
      return { id, organizationId, userId, kind, name: 't', hash, scopes, createdAt, expiresAt };
    });
    await db.token.createMany({ data: rows });
    const body = { name: 'one more', scopes: ['mcp'] };
    expect((await createToken(body, token)).status).toBe(201);
    expect((await createToken(body, token)).body).toMatchObject({
      status: 409,
      code: 'token_limit_reached',
    });
    await db.token.deleteMany({ where: { userId, name: 't' } });
    expect((await createToken(body, token)).status).toBe(201);
  });

  it('cannot grant a scope the calling token lacks', async () => {
    const { body } = await createToken({ name: 'w', scopes: ['management:write'] });
    const more = await createToken({ name: 'm', scopes: ['mcp'] }, body.secret);
    expect(more.status).toBe(403);
  });

  it('replays the same secret for the same Idempotency-Key until the token is revoked', async () => {
    const request = {
      body: { name: 'once', scopes: ['mcp'] },
      headers: { 'idempotency-key': 'key-1' },
    };
    const first = await server.call('POST', '/tokens', request);
    const again = await server.call('POST', '/tokens', request);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    const other = await server.call('POST', '/tokens', {
      ...request,
      body: { name: 'twice', scopes: ['mcp'] },
    });
    expect(other.body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    await server.call('DELETE', `/tokens/${first.body.token.id}`);
    const late = await server.call('POST', '/tokens', request);
    expect(late.body).toMatchObject({ status: 409, code: 'secret_no_longer_available' });
  });

  it('limits a token to its scopes', async () => {
    const { body } = await createToken({ name: 'r', scopes: ['management:read'] });
    const write = await createToken({ name: 'x', scopes: ['management:read'] }, body.secret);
    expect(write.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const gatewayOnly = await createToken({ name: 'm', scopes: ['mcp'] });
    const list = await server.call('GET', '/tokens', { token: gatewayOnly.body.secret });
    expect(list.status).toBe(403);
  });
});

describe('a token with an expiry', () => {
  it('is refused once that is past, from the database as from memory', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { body } = await createToken({ name: 'short', scopes: all, expiresAt });
    const me = () => server.call('GET', '/me', { token: body.secret });
    expect((await me()).status).toBe(200);
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ now: Date.parse(expiresAt) - 1, toFake: ['Date'] });
    expect((await me()).status).toBe(200);
    // The database has its own clock.
    await server.store.db.token.update({
      where: { id: body.token.id },
      data: { expiresAt: new Date(0) },
    });
    vi.setSystemTime(expiresAt);
    expect((await me()).status).toBe(401);
    vi.useRealTimers();
    const unused = await createToken({ name: 'unused', scopes: all });
    await server.store.db.token.update({
      where: { id: unused.body.token.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect((await server.call('GET', '/me', { token: unused.body.secret })).status).toBe(401);
  });
});

describe('GET /tokens', () => {
  it('shows an expired token for a month, then it is gone', async () => {
    const { token } = await server.addMember('member');
    const { body } = await createToken({ name: 'expired', scopes: all }, token);
    const { id } = body.token;
    const expire = async (days: number) => {
      const expiresAt = new Date(Date.now() - days * 24 * 60 * 60_000);
      await server.store.db.token.update({ where: { id }, data: { expiresAt } });
      await sweep(server.store.db, defaultWindows);
    };
    const names = async () =>
      (await server.call('GET', '/tokens', { token })).body.items.map(
        (item: { name: string }) => item.name,
      );
    await expire(29);
    expect(await names()).toEqual(['expired', 'test']);
    await expire(31);
    expect(await names()).toEqual(['test']);
    expect((await server.call('DELETE', `/tokens/${id}`, { token })).status).toBe(404);
  });

  it('requires a token', async () => {
    expect((await server.call('GET', '/tokens', { token: null })).status).toBe(401);
  });

  it("lists one's own newest first, page by page, and refuses another list's cursor", async () => {
    const { token } = await server.addMember('member');
    for (const name of ['a', 'b', 'c']) await createToken({ name, scopes: all }, token);
    const first = await server.call('GET', '/tokens?limit=2', { token });
    expect(first.body.items.map((item: { name: string }) => item.name)).toEqual(['c', 'b']);
    const rest = await server.call('GET', `/tokens?limit=2&cursor=${first.body.nextCursor}`, {
      token,
    });
    expect(rest.body.items.map((item: { name: string }) => item.name)).toEqual(['a', 'test']);
    expect(rest.body.nextCursor).toBeNull();
    const foreign = await server.call('GET', `/tokens?cursor=${first.body.nextCursor}`);
    expect(foreign.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
  });
});

describe('DELETE /tokens/:id', () => {
  it('requires a token', async () => {
    const { status } = await server.call('DELETE', `/tokens/${crypto.randomUUID()}`, {
      token: null,
    });
    expect(status).toBe(401);
  });

  it('kills the token at once; a second revocation is 404', async () => {
    const { body } = await createToken({ name: 'gone', scopes: all });
    expect((await server.call('GET', '/me', { token: body.secret })).status).toBe(200);
    const revoked = await server.call('DELETE', `/tokens/${body.token.id}`);
    expect(revoked).toMatchObject({ status: 204, text: '' });
    expect((await server.call('GET', '/me', { token: body.secret })).status).toBe(401);
    expect((await server.call('DELETE', `/tokens/${body.token.id}`)).status).toBe(404);
  });

  it("lets admins revoke a member's token, and members only their own", async () => {
    const member = await server.addMember('member');
    const admin = await server.addMember('admin');
    const { body } = await createToken({ name: 'mine', scopes: all }, member.token);
    const other = await createToken({ name: 'theirs', scopes: all }, admin.token);
    const path = (id: string) => `/tokens/${id}`;
    expect(
      (await server.call('DELETE', path(other.body.token.id), { token: member.token })).status,
    ).toBe(404);
    expect((await server.call('DELETE', path(body.token.id), { token: admin.token })).status).toBe(
      204,
    );
  });
});
