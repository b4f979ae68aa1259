import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { problemSchema } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { addOrganization } from '../support/organization.ts';
import { type Answer, clientOf, STATELESS, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let integrationId: string;
let url: string;

beforeAll(async () => {
  integrationId = await fixture.integrate();
  url = fixture.urlOf(integrationId);
});

async function problemOf(answer: Answer) {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['content-security-policy']).toContain('sandbox');
  return problemSchema.parse(JSON.parse(await answer.text()));
}

async function codeOf(answer: Promise<Answer>): Promise<string> {
  return (await problemOf(await answer)).code;
}

/** What a client finds the authorization server by (RFC 9728 section 5.1). */
function challengeOf(target: string): string {
  const { origin, pathname } = new URL(target);
  const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  return `resource_metadata="${metadata}", scope="mcp"`;
}

describe('a gateway call', () => {
  it('requires a token', async () => {
    const answer = await send(url, { token: null });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(`Bearer ${challengeOf(url)}`);
    const { code, instance } = await problemOf(answer);
    expect({ code, instance }).toEqual({
      code: 'unauthenticated',
      instance: new URL(url).pathname,
    });
  });

  it('is refused with a wrong token, an invitation, or one without the scope mcp', async () => {
    const wrong = await send(url, { token: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", ${challengeOf(url)}`,
    );
    const invited = await fixture.api('POST', '/members', {
      email: 'new@example.com',
      name: 'New',
      role: 'member',
    });
    expect(await codeOf(send(url, { token: invited.body.invitation }))).toBe('forbidden');
    const { body } = await fixture.api('POST', '/tokens', {
      name: 'reader',
      scopes: ['management:read'],
    });
    const narrow = await send(url, { token: body.secret });
    expect((await problemOf(narrow)).code).toBe('insufficient_scope');
    expect(narrow.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", ${challengeOf(url)}`,
    );
  });

  it('finds nothing behind unknown, foreign, detached and archived URLs', async () => {
    const foreign = await addOrganization(fixture.server.store);
    expect(await codeOf(send(url, { token: foreign }))).toBe('not_found');
    expect(await codeOf(send(fixture.urlOf(randomUUID())))).toBe('not_found');
    const detached = await fixture.integrate();
    await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${detached}`);
    expect(await codeOf(send(fixture.urlOf(detached)))).toBe('not_found');
    const archived = await fixture.integrate();
    await fixture.api('DELETE', `/integrations/${archived}`);
    expect(await codeOf(send(fixture.urlOf(archived)))).toBe('not_found');
    await fixture.api('POST', `/integrations/${archived}/restore`);
    const answer = send(fixture.urlOf(archived));
    (await fixture.upstream.nextRequest()).respondResult({});
    expect((await answer).status).toBe(200);
  });

  it('is not proxied for credential-only integrations', async () => {
    const internal = await fixture.integrate({ category: 'internal_mcp_credentials' });
    expect(await codeOf(send(fixture.urlOf(internal)))).toBe('not_proxied');
  });

  it('may be POST, GET and DELETE only', async () => {
    const answer = await send(url, { method: 'PUT' });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, GET, DELETE, OPTIONS');
    expect((await problemOf(answer)).code).toBe('method_not_allowed');
  });

  it('may not be DELETE without a session at an upstream of MCP 2026-07-28 alone', async () => {
    const eras = { legacy: null, modern: '2026-07-28' };
    const modern = fixture.urlOf(await fixture.integrate({ url: 'http://127.0.0.1:9/mcp' }, eras));
    for (const headers of [{}, STATELESS]) {
      const answer = await send(modern, { method: 'DELETE', headers });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
      expect((await problemOf(answer)).code).toBe('method_not_allowed');
    }
  });

  it('is refused under a foreign Host name or web origin', async () => {
    expect(await codeOf(send(url, { headers: { host: 'evil.example' } }))).toBe('host_not_allowed');
    const headers = { origin: 'https://evil.example' };
    expect(await codeOf(send(url, { headers }))).toBe('origin_not_allowed');
  });

  it('is answered with CORS headers for an allowed origin, preflights included', async () => {
    const origin = 'https://app.example.com';
    const gateway = await startGateway(fixture.server.store, { allowedOrigins: [origin] });
    const target = fixture.urlOf(integrationId, gateway.origin);
    const preflight = await send(target, {
      method: 'OPTIONS',
      token: null,
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
    expect(preflight.headers['access-control-allow-methods']).toBe('POST, GET, DELETE');
    expect(preflight.headers['cache-control']).toBe('no-store');
    const refused = await send(target, { token: null, headers: { origin } });
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    const answer = send(target, { headers: { origin } });
    const exchange = await fixture.upstream.nextRequest();
    exchange.respondResult({}, { 'Access-Control-Allow-Origin': '*' });
    expect((await answer).headers['access-control-allow-origin']).toBe(origin);
    await gateway.close();
  });

  it.each(['Host: 127.0.0.1', 'Authorization: Bearer other', 'Mcp-Session-Id: b'])(
    'may not identify its caller twice: %s',
    async (line) => {
      const { hostname, port, pathname } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${fixture.server.owner}\r\n` +
          `Mcp-Session-Id: a\r\n${line}\r\nContent-Length: 0\r\n\r\n`,
      );
      const [head] = await once(socket, 'data');
      expect(String(head)).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    },
  );

  it('answers 502 when the upstream cannot be reached, and names no address', async () => {
    const dead = await fixture.integrate({ url: 'http://127.0.0.1:9/mcp' });
    const answer = await send(fixture.urlOf(dead));
    expect(answer.status).toBe(502);
    const problem = await problemOf(answer);
    expect(problem.code).toBe('upstream_unreachable');
    expect(JSON.stringify(problem)).not.toContain('127.0.0.1:9');
  });

  it('answers 502 when the upstream hangs up before it answers, and does not call again', async () => {
    const before = fixture.upstream.requests.length;
    const answer = send(url);
    (await fixture.upstream.nextRequest()).drop();
    expect((await answer).status).toBe(502);
    expect(fixture.upstream.requests.length).toBe(before + 1);
  });

  it("keeps the caller's request id where it is harmless", async () => {
    const kept = await send(url, { token: null, headers: { 'x-request-id': 'trace-1' } });
    expect(kept.headers['x-request-id']).toBe('trace-1');
    const made = await send(url, { token: null, headers: { 'x-request-id': 'a b' } });
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
