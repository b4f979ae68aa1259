import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer({
  metricsToken: 'm'.repeat(40),
  allowedOrigins: ['https://console.example'],
});

/** Sends bytes as they are and gives back the whole answer. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

function post(body: string, headers: Record<string, string> = {}) {
  return fetch(`${server.baseUrl}/integrations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.owner}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
}

describe('every answer', () => {
  it('echoes a harmless X-Request-Id and replaces any other', async () => {
    const kept = await server.call('GET', '/me', { headers: { 'x-request-id': 'abc.1' } });
    expect(kept.headers.get('x-request-id')).toBe('abc.1');
    const replaced = await server.call('GET', '/me', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('is not stored by caches and names no software', async () => {
    const { headers } = await server.call('GET', '/me');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });

  it('that is a refusal is a problem document with its code in the type', async () => {
    const { status, headers, body } = await server.call('GET', '/integrations/not-a-uuid?x=1');
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toEqual({
      type: 'urn:gatehouse:problem:validation_failed',
      title: expect.any(String),
      status: 400,
      detail: expect.any(String),
      instance: '/api/v1/integrations/not-a-uuid',
      code: 'validation_failed',
      requestId: headers.get('x-request-id'),
      errors: [{ parameter: 'id', code: expect.any(String), message: expect.any(String) }],
    });
  });
});

describe('the order of checks', () => {
  it('knows the path before the token, and the method before the token', async () => {
    const unknown = await server.call('GET', '/nothing', { token: null });
    expect(unknown.body).toMatchObject({ status: 404, code: 'not_found' });
    const method = await server.call('PUT', '/integrations', { token: null });
    expect(method.body).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(method.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it('refuses a role before it looks at the body', async () => {
    const { token } = await server.addMember('member');
    const response = await post('not json', {
      authorization: `Bearer ${token}`,
      'content-type': 'text/plain',
    });
    expect(response.status).toBe(403);
  });

  it('refuses what only admins may ask for before it looks at the rest of the query', async () => {
    const { token } = await server.addMember('member');
    const { body } = await server.call('GET', '/applications?all=true&limit=0', { token });
    expect(body).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('is strict about case and slashes of the path', async () => {
    expect((await server.call('GET', '/Integrations')).status).toBe(404);
    expect((await server.call('GET', '/integrations/')).status).toBe(404);
    const prefix = await fetch(`${server.origin}/API/V1/me`, {
      headers: { authorization: `Bearer ${server.owner}` },
    });
    expect(prefix.status).toBe(404);
  });

  it('knows the paths of the API only below its prefix', async () => {
    for (const [method, path] of [
      ['GET', '/integrations'],
      ['GET', '/me'],
      ['PUT', '/me'],
      ['GET', '/openapi.json'],
      ['DELETE', '/tokens'],
      ['GET', '/'],
      ['GET', '/%zz'],
      ['GET', '/Healthz'],
    ] as const) {
      const response = await fetch(server.origin + path, { method });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
      expect(response.headers.get('allow')).toBeNull();
    }
  });
});

describe('a body', () => {
  const name = { name: 'x', url: 'https://mcp.example.com' };

  it.each([
    [
      'that is not JSON by its type',
      '{}',
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    [
      'in another charset',
      '{}',
      { 'content-type': 'application/json; charset=utf-16le' },
      415,
      'unsupported_media_type',
    ],
    ['that is compressed', '{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['that is malformed', '{"name":', {}, 400, 'malformed_json'],
    [
      'of 2 MiB',
      JSON.stringify({ ...name, name: 'x'.repeat(2 * 1024 * 1024) }),
      {},
      413,
      'payload_too_large',
    ],
    [
      'nested 100,000 deep',
      `{"name":"x","url":"https://a.example","capabilities":{"tools":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      {},
      400,
      'validation_failed',
    ],
    ['with a NUL byte', JSON.stringify({ ...name, name: 'a\0b' }), {}, 400, 'validation_failed'],
    ['that is an array', '[]', {}, 400, 'validation_failed'],
    ['that is missing', '', {}, 400, 'validation_failed'],
    ['with an unknown field', JSON.stringify({ ...name, urll: 1 }), {}, 400, 'unknown_field'],
    [
      'with __proto__',
      '{"name":"x","url":"https://a.example","__proto__":{}}',
      {},
      400,
      'unknown_field',
    ],
  ])('%s is refused', async (_what, body, headers, status, code) => {
    const before = await server.store.db.integration.count();
    const response = await post(body, headers as Record<string, string>);
    const problem = await response.json();
    expect(problem).toMatchObject({ status, code });
    expect(await server.store.db.integration.count()).toBe(before);
  });

  it('that is not UTF-8 is malformed, and stores nothing', async () => {
    const before = await server.store.db.integration.count();
    const text = '{"name":"é","url":"https://mcp.example.com"}';
    const response = await fetch(`${server.baseUrl}/integrations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.owner}`, 'content-type': 'application/json' },
      body: Buffer.from(text, 'latin1'),
    });
    expect(await response.json()).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(await server.store.db.integration.count()).toBe(before);
  });

  it('never comes back in the text of a problem', async () => {
    const response = await post('{"token": "sk-live-abcdef", oops}');
    expect(await response.text()).not.toContain('sk-live');
  });

  it('may be absent or {}, of any type, where no body is accepted, and nothing else', async () => {
    const made = await server.call('POST', '/integrations', { body: name });
    const path = `/integrations/${made.body.integration.id}/restore`;
    expect(
      (await server.call('POST', path, { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(200);
    expect((await server.call('POST', path, { body: {} })).status).toBe(200);
    expect((await server.call('POST', path, { body: { a: 1 } })).body.code).toBe('unknown_field');
  });

  it('that is empty counts as absent, even without an announced length', async () => {
    const made = await server.call('POST', '/integrations', { body: name });
    const request = (chunks: string, type = '') =>
      raw(
        [
          `DELETE /api/v1/integrations/${made.body.integration.id} HTTP/1.1`,
          `Host: ${new URL(server.origin).host}`,
          `Authorization: Bearer ${server.owner}`,
          'Connection: close',
          `${type}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
        ].join('\r\n'),
      );
    expect(await request('1\r\nx\r\n')).toMatch(/^HTTP\/1.1 415 /);
    expect(await request('')).toMatch(/^HTTP\/1.1 204 /);
    const json = 'Content-Type: application/json\r\n';
    expect(await request('2\r\n{}\r\n', json)).toMatch(/^HTTP\/1.1 204 /);
    expect(await request('1\r\n{\r\n', json)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('the query', () => {
  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=1&limit=2',
    'includeArchived=yes',
  ])('refuses %s', async (query) => {
    const { body } = await server.call('GET', `/integrations?${query}`);
    expect(body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('lowers a limit above 100 and ignores unknown parameters', async () => {
    expect((await server.call('GET', '/integrations?limit=5000&unknown=1')).status).toBe(200);
  });
});

describe('Host, Origin and repeated headers', () => {
  it('refuses a Host that is not ours', async () => {
    const answer = await raw(
      'GET /api/v1/me HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain('host_not_allowed');
  });

  it('answers /healthz to any Host', async () => {
    const answer = await raw(
      'GET /healthz HTTP/1.1\r\nHost: 10.0.0.7\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('refuses two Hosts or two Authorizations', async () => {
    const { host } = new URL(server.origin);
    for (const twice of [`Host: ${host}`, 'Authorization: Bearer a\r\nAuthorization: Bearer b']) {
      const answer = await raw(
        `GET /api/v1/me HTTP/1.1\r\nHost: ${host}\r\n${twice}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
    }
  });

  it('refuses a foreign Origin and serves an allowed one with CORS headers', async () => {
    const foreign = await server.call('GET', '/me', {
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.body).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    const allowed = await server.call('GET', '/me', {
      headers: { origin: 'https://console.example' },
    });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example');
    expect(allowed.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  it('answers a preflight without a token', async () => {
    const { status, headers } = await server.call('OPTIONS', '/integrations', {
      token: null,
      headers: { origin: 'https://console.example', 'access-control-request-method': 'POST' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
  });
});

describe('health and metrics', () => {
  it('answers /healthz and /readyz without a token', async () => {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  it.each(['/healthz', '/healthz/stream', '/readyz', '/metrics'])('only reads %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetch(server.origin + path, { method });
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  it('refuses /metrics with two Authorization headers', async () => {
    const authorization = `Authorization: Bearer ${'m'.repeat(40)}\r\n`;
    const request = (headers: string) =>
      raw(`GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
    expect(await request(authorization)).toMatch(/^HTTP\/1.1 200 /);
    expect(await request(`${authorization}Authorization: Bearer x\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('shows /metrics to the metrics token, owners and admins alone', async () => {
    const metrics = (token?: string) =>
      fetch(
        `${server.origin}/metrics`,
        token ? { headers: { authorization: `Bearer ${token}` } } : {},
      );
    expect((await metrics()).status).toBe(401);
    expect((await metrics((await server.addMember('member')).token)).status).toBe(403);
    const { body } = await server.call('POST', '/tokens', {
      body: { name: 'Gateway only', scopes: ['mcp'] },
    });
    expect((await metrics(body.secret)).status).toBe(403);
    expect((await metrics('m'.repeat(40))).status).toBe(200);
    const shown = await metrics(server.owner);
    expect(shown.status).toBe(200);
    const text = await shown.text();
    expect(text).toContain('process_cpu_user_seconds_total');
    expect(text).toContain(
      'gatehouse_http_request_seconds_count{operation="members.create",status="201"}',
    );
  });

  it('serves the OpenAPI document without a token', async () => {
    const { status, body } = await server.call('GET', '/openapi.json', { token: null });
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(body.servers[0].url).toBe(server.baseUrl);
  });
});
