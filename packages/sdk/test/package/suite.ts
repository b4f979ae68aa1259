import { expect } from 'vitest';
import { json, problem, type Received, startServer, type TestServer } from '../support/server.ts';

const CASES = 12;

/** Expects the verdicts of `fixtures/runtimes/suite.js` to be all there, and good. */
export function expectAllPassed(verdicts: Record<string, string>): void {
  expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'passed')).toEqual([]);
  expect(Object.keys(verdicts)).toHaveLength(CASES);
}

/**
 * Starts what the suite's cases talk to.
 *
 * @param webOrigin - a web origin that may call it, as in `GATEHOUSE_ALLOWED_ORIGINS`
 */
export function startSuiteServer(webOrigin?: string): Promise<TestServer> {
  const keys: unknown[] = [];
  const pages: Record<string, object> = {
    '/api/v1/integrations': { items: [{ name: 'A' }, { name: 'B' }], nextCursor: 'c' },
    '/api/v1/integrations?cursor=c': { items: [{ name: 'C' }], nextCursor: null },
  };
  return startServer((response, { method, target, headers }: Received) => {
    if (webOrigin !== undefined && headers.origin === webOrigin) {
      response.setHeader('access-control-allow-origin', webOrigin);
      response.setHeader('access-control-expose-headers', 'ETag, Retry-After, X-Request-Id');
    }
    if (method === 'OPTIONS') return response.writeHead(204, PREFLIGHT).end();
    if (headers.authorization !== 'Bearer gh_pat_test') {
      return problem(response, 401, 'unauthenticated');
    }
    if (method === 'DELETE') return response.writeHead(204).end();
    if (method === 'POST') {
      keys.push(headers['idempotency-key']);
      if (keys.length === 1) return problem(response, 503, 'overloaded');
      return json(response, 201, { integration: { keys } });
    }
    switch (target.split('/').at(-1)) {
      case 'unknown':
        return problem(response, 404, 'not_found');
      case 'redirect':
        return response.writeHead(307, { location: '/api/v1/me' }).end();
      case 'stalled':
        return response.writeHead(200, { 'content-length': '99' }).write('{"integration":');
      case 'a%20b%2Fc':
        return json(response, 200, { integration: { id: 'a b/c' } }, { etag: '"v1"' });
      default:
        return json(response, 200, pages[target] ?? {});
    }
  });
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
};
