import { type Route, routes } from '@gatehouse/contract';
import { expect } from 'vitest';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE } from '../make.ts';

const table: readonly Route[] = Object.values(routes).flatMap((resource) =>
  Object.values(resource),
);
const guarded = table.filter(({ access }) => access !== 'public');

/** A path of a route with ids that nothing has. */
function pathOf({ path }: Route): string {
  return path.replaceAll(/:[a-zA-Z]+/g, NOWHERE);
}

export const conventionCases = {
  title: 'Conventions',
  cases: [
    rule('every operation requires a token', async (t) => {
      for (const route of guarded) {
        const answer = await t.call(`${route.method} ${pathOf(route)}`, { as: null });
        expect([route.path, answer.status]).toEqual([route.path, 401]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    }),

    rule('every operation refuses a token that does not exist', async (t) => {
      const as = { token: `gh_pat_${'x'.repeat(43)}` };
      for (const route of guarded) {
        const answer = await t.call(`${route.method} ${pathOf(route)}`, { as });
        expect([route.path, answer.status]).toEqual([route.path, 401]);
        expect(answer.body.code).toBe('unauthenticated');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
    }),

    rule('an Authorization without a bearer token is an invalid token', async (t) => {
      for (const authorization of ['Basic abc', 'Bearer', 'Bearer a b']) {
        const answer = await t.call('GET /me', { as: null, headers: { authorization } });
        expect([authorization, answer.status]).toEqual([authorization, 401]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
    }),

    rule('the scheme of a bearer token is read in any case', async (t) => {
      const headers = { authorization: `bEARER ${t.service.tokens.owner}` };
      expect((await t.call('GET /me', { as: null, headers })).status).toBe(200);
    }),

    rule('a path is known before the token is looked at', async (t) => {
      const answer = await t.call('GET /nothing', { as: null });
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }),

    rule(
      'a method is known before the token is looked at, and Allow names the others',
      async (t) => {
        const answer = await t.call('PUT /integrations', { as: null });
        expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
      },
    ),

    rule('paths are strict about case and slashes', async (t) => {
      for (const path of ['/Integrations', '/integrations/', '/applications//oauth']) {
        expect([path, (await t.call(`GET ${path}`)).status]).toEqual([path, 404]);
      }
    }),

    rule('a path with wrong percent-encoding is judged in turn, as an invalid id', async (t) => {
      for (const path of ['/integrations/%zz', '/integrations/%ff', '/integrations/%']) {
        expect([path, (await t.call(`PUT ${path}`, { as: null })).status]).toEqual([path, 405]);
        expect([path, (await t.call(`GET ${path}`, { as: null })).status]).toEqual([path, 401]);
        const refused = { status: 400, code: 'validation_failed', at: ['id'] };
        expect([path, await t.problem(`GET ${path}`)]).toEqual([path, refused]);
      }
      const body = { id: NOWHERE.replaceAll('-', '%2D') };
      const half = await t.problem(`POST /applications/${body.id}/integrations/%zz`);
      expect(half.at).toEqual(['integrationId']);
    }),

    rule('a refusal is a problem document', async (t) => {
      const answer = await t.call('GET /integrations/not-a-uuid?x=1');
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toEqual({
        type: 'urn:gatehouse:problem:validation_failed',
        title: expect.any(String),
        status: 400,
        detail: expect.any(String),
        instance: '/api/v1/integrations/not-a-uuid',
        code: 'validation_failed',
        requestId: answer.headers.get('x-request-id'),
        errors: [{ parameter: 'id', code: expect.any(String), message: expect.any(String) }],
      });
    }),

    rule('a harmless X-Request-Id comes back, any other is replaced', async (t) => {
      const kept = await t.call('GET /me', { headers: { 'x-request-id': 'abc.1' } });
      expect(kept.headers.get('x-request-id')).toBe('abc.1');
      const replaced = await t.call('GET /me', { headers: { 'x-request-id': 'a b' } });
      expect(replaced.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    }),

    rule('no answer is stored by caches', async (t) => {
      for (const line of ['GET /me', 'GET /nothing', `DELETE /integrations/${NOWHERE}`]) {
        expect((await t.call(line)).headers.get('cache-control')).toBe('no-store');
      }
    }),

    rule('HEAD is answered as GET is, without a body', async (t) => {
      const { id } = await makeIntegration(t);
      const answer = await t.call(`HEAD /integrations/${id}`);
      expect([answer.status, answer.body]).toEqual([200, undefined]);
      expect(answer.headers.get('etag')).toBe('"v1"');
      expect((await t.call(`HEAD /integrations/${id}`, { as: null })).status).toBe(401);
    }),

    rule('ids are taken in upper case', async (t) => {
      const { id } = await makeIntegration(t);
      const { body } = await t.ok(`GET /integrations/${id.toUpperCase()}`);
      expect(body.integration.id).toBe(id);
    }),

    rule('an id that nothing has is 404, one that is no UUID 400', async (t) => {
      for (const { method, path, access } of guarded) {
        if (!path.includes(':') || method === 'PATCH' || method === 'PUT') continue;
        // A token that is not the application's is refused before its ids are read.
        if (access === 'application') continue;
        const body = method === 'POST' ? neededBodyOf(path) : undefined;
        const unknown = path.replaceAll(/:[a-zA-Z]+/g, NOWHERE);
        const options = body ? { body } : {};
        expect([path, access, await t.problem(`${method} ${unknown}`, options)]).toEqual([
          path,
          access,
          { status: 404, code: 'not_found', at: [] },
        ]);
        const malformed = path.replace(':id', 'x').replaceAll(/:[a-zA-Z]+/g, NOWHERE);
        const refused = await t.problem(`${method} ${malformed}`, options);
        expect([path, refused.status, refused.at]).toEqual([path, 400, ['id']]);
      }
    }),

    rule('the OpenAPI document needs no token', async (t) => {
      const { status, body } = await t.call('GET /openapi.json', { as: null });
      expect(status).toBe(200);
      expect(body.openapi).toMatch(/^3\.1/);
      expect(body.servers[0].url).toBe(t.service.baseUrl);
    }),

    rule('refuses a foreign Origin', async (t) => {
      const headers = { origin: 'https://evil.example' };
      expect((await t.problem('GET /me', { headers })).code).toBe('origin_not_allowed');
    }),
  ],
};

/** What a POST must have for its ids to be looked at. */
function neededBodyOf(path: string): object | undefined {
  if (path.endsWith('/connection')) return { token: 'x' };
  return path.includes('/tools/') ? { fingerprints: {} } : undefined;
}
