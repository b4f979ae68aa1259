import { contract, type ProblemCode, problemCodes } from '@gatehouse/contract';
import { Gatehouse, isApiError, type RateLimitError } from '@gatehouse/sdk';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMockGatehouse, mockRoute, problem } from '../src/index.ts';

const mocks = createMockGatehouse({ baseUrl: 'https://gatehouse.example.com' });
const server = setupServer(...mocks.handlers);
const gatehouse = new Gatehouse({
  baseUrl: mocks.baseUrl,
  accessToken: mocks.tokens.owner,
  logLevel: 'off',
});
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const organization = { id: '0190a000-0000-7000-8000-000000000001', name: 'Acme' };
const user = {
  id: '0190a000-0000-7000-8000-000000000002',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
} as const;
const authentication = { method: 'oauth' as const, scopes: ['management:read'] };
const me = { user, organization, authentication };

describe('mockRoute', () => {
  it('answers one route and leaves the others alone', async () => {
    server.use(mockRoute(contract.me.get, () => ({ status: 200, body: me })));
    expect(await gatehouse.me()).toEqual(me);
    expect((await gatehouse.integrations.list()).items).toEqual([]);
  });

  it('answers a problem with its status, media type and headers', async () => {
    const headers = { 'Retry-After': '3' };
    server.use(mockRoute(contract.integrations.get, () => problem('not_found', { headers })));
    const error = await gatehouse.integrations.get(user.id).catch((thrown: unknown) => thrown);
    if (!isApiError(error)) throw error;
    expect([error.status, error.code]).toEqual([404, 'not_found']);
    expect(error.headers.get('content-type')).toBe('application/problem+json');
    expect(error.headers.get('retry-after')).toBe('3');
  });

  it('answers what may be repeated with the time to wait, as the service does', async () => {
    const codes = Object.keys(problemCodes) as ProblemCode[];
    const later = codes.filter((code) => [429, 503].includes(problemCodes[code].status));
    expect(later).toContain('rate_limited');
    for (const code of [...later, 'idempotency_in_progress'] as const) {
      expect([code, problem(code).headers]).toEqual([code, { 'Retry-After': '1' }]);
    }
    expect(problem('unauthenticated').headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    const headers = { 'retry-after': '30' };
    expect(problem('rate_limited', { headers }).headers).toEqual(headers);
    server.use(mockRoute(contract.me.get, () => problem('rate_limited')));
    const limited = await gatehouse
      .withOptions({ maxRetries: 0 })
      .me()
      .catch((error: RateLimitError) => error.retryAfter);
    expect(limited).toBe(1000);
  });

  it('gives the resolver what the contract parses of path, query and body', async () => {
    const seen: unknown[] = [];
    server.use(
      mockRoute(contract.integrations.list, ({ query }) => {
        seen.push(query);
        return { status: 200, body: { items: [], nextCursor: null } };
      }),
      mockRoute(contract.members.update, ({ params, body }) => {
        seen.push(params, body);
        return problem('last_owner');
      }),
    );
    await gatehouse.integrations.list({ limit: 500 });
    await gatehouse.members.update(user.id.toUpperCase(), { role: 'member' }).catch(() => {});
    expect(seen).toEqual([
      { limit: 100, includeArchived: false },
      { id: user.id },
      { role: 'member' },
    ]);
  });

  it('refuses a request that does not fit the contract, without asking the resolver', async () => {
    let asked = 0;
    server.use(
      mockRoute(contract.members.create, () => {
        asked += 1;
        return problem('forbidden');
      }),
    );
    const response = await fetch(`${mocks.baseUrl}/members`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'no', name: 'x', role: 'member' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/email' }] });
    expect(asked).toBe(0);
  });

  it('sends only what the contract declares of a body', async () => {
    const body = { ...me, user: { ...user, password: 'x' } };
    server.use(mockRoute(contract.me.get, () => ({ status: 200, body })));
    expect(await gatehouse.me()).toEqual(me);
  });

  it('fails with a body that does not fit the contract, and says where', async () => {
    const wrong = { ...me, user: { ...user, id: 'not-a-uuid' } };
    server.use(mockRoute(contract.me.get, () => ({ status: 200, body: wrong })));
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await fetch(`${mocks.baseUrl}/me`)).status).toBe(500);
    expect(String(printed.mock.calls)).toContain(
      'The mock of GET /me returned 200 with a body that does not match the contract. /user/id: ',
    );
    printed.mockRestore();
  });

  it('sends no body for a route without one', async () => {
    server.use(mockRoute(contract.tokens.revoke, () => ({ status: 204, body: undefined })));
    const response = await fetch(`${mocks.baseUrl}/tokens/${user.id}`, { method: 'DELETE' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('answers only under its own base URL, if it has one', async () => {
    const baseUrl = 'https://other.example.com/api/v1';
    server.use(mockRoute(contract.me.get, () => problem('overloaded'), { baseUrl }));
    expect((await gatehouse.me()).user.role).toBe('owner');
    expect((await fetch(`${baseUrl}/me`)).status).toBe(503);
  });
});
