import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument, type JsonValue, problemCodes } from '../../src/index.ts';
import { at } from './at.ts';

const document = buildOpenApiDocument({ version: '1.2.3' });

/** The responses of an operation, those that are components resolved. */
function responsesOf(method: string, path: string): [status: string, response: JsonValue][] {
  const responses = Object(at(document, 'paths', path, method, 'responses'));
  return Object.entries<JsonValue>(responses).map(([status, response]) => {
    const name = String(at(response, '$ref') ?? '').replace('#/components/responses/', '');
    return [status, at(document, 'components', 'responses', name) ?? response];
  });
}

/** The codes with an example, and those of the list in the text. */
function codesOf(response: JsonValue): [examples: string[], listed: string[]] {
  const examples = at(response, 'content', 'application/problem+json', 'examples');
  const listed = String(at(response, 'description')).matchAll(/^- `(\w+)`: /gm);
  return [Object.keys(Object(examples)), [...listed].map(([, code]) => code ?? '')];
}

const problemsOf = (method: string, path: string) =>
  responsesOf(method, path).filter(([status]) => status >= '400');

const operations = Object.entries(Object(document.paths)).flatMap(([path, item]) =>
  Object.keys(Object(item)).map((method) => [method, path] as const),
);

describe('the problems of an operation', () => {
  const always = ['401', '403', '429', '500', '503'];
  const statusesOf = (method: string, path: string) =>
    problemsOf(method, path).map(([status]) => status);

  it.each([
    ['get', '/me', ['400']],
    ['get', '/integrations', ['400']],
    ['post', '/integrations', ['400', '409', '413', '415', '422']],
    ['get', '/integrations/{id}', ['400', '404']],
    ['patch', '/integrations/{id}', ['400', '404', '409', '412', '413', '415', '422']],
    ['delete', '/integrations/{id}', ['400', '404', '409', '412', '413', '415', '422']],
    ['post', '/integrations/{id}/restore', ['400', '404', '409', '413', '415', '422']],
    ['delete', '/members/{id}', ['400', '404', '409', '413', '415', '422']],
    ['delete', '/tokens/{id}', ['400', '404', '409', '413', '415', '422']],
    ['get', '/integrations/{id}/oauth', ['400', '404', '409']],
    ['post', '/integrations/{id}/connection', ['400', '404', '409', '413', '415', '422']],
    ['post', '/integrations/{id}/connection/authorize', ['400', '404', '409', '413', '415', '422']],
    ['post', '/integrations/{id}/connection/test', ['400', '404', '409', '413', '415']],
    ['post', '/integrations/discover', ['400', '413', '415']],
    ['put', '/applications/{id}/integrations', ['400', '404', '409', '412', '413', '415', '422']],
  ])('%s %s are all listed, and no other', (method, path, more) => {
    expect(statusesOf(method, path).sort()).toEqual([...always, ...more].sort());
  });

  it('are those of its headers and of a start alone where no token is asked for', () => {
    const codes = problemsOf('get', '/openapi.json').flatMap(
      ([, response]) => codesOf(response)[0],
    );
    expect(codes).toEqual([
      'validation_failed',
      'host_not_allowed',
      'origin_not_allowed',
      'internal_error',
      'overloaded',
    ]);
  });

  it('say when to try again wherever the first request with a key may still run', () => {
    const found = operations.flatMap(([method, path]) =>
      responsesOf(method, path).filter(([, response]) =>
        codesOf(response)[0].includes('idempotency_in_progress'),
      ),
    );
    expect(found.length).toBeGreaterThan(15);
    for (const [status, response] of found) {
      expect([status, at(response, 'headers', 'Retry-After')]).toEqual([
        '409',
        { $ref: '#/components/headers/Retry-After' },
      ]);
    }
  });

  it('have a text and an example for each code, and only codes of their status', () => {
    for (const [method, path] of operations) {
      for (const [status, response] of problemsOf(method, path)) {
        const [examples, listed] = codesOf(response);
        expect(listed).toEqual(examples);
        expect(listed).not.toEqual([]);
        const statuses = listed.map(
          (code) => problemCodes[code as keyof typeof problemCodes].status,
        );
        expect([method, path, ...new Set(statuses)]).toEqual([method, path, Number(status)]);
      }
    }
    expect(operations.length).toBeGreaterThan(40);
  });

  it.each([
    ['post', '/members', '409', 'email_taken'],
    ['post', '/tokens', '409', 'invitation_used'],
    ['post', '/applications/{id}/rotate-secret', '409', 'public_client_has_no_secret'],
    ['get', '/integrations', '400', 'invalid_cursor'],
    ['get', '/integrations/{id}/oauth', '404', 'oauth_not_configured'],
    ['post', '/integrations/discover', '400', 'egress_denied'],
  ])('%s %s %s has %s, and most others do not', (method, path, status, code) => {
    const having = operations.filter((operation) =>
      problemsOf(...operation).some(([, response]) => codesOf(response)[0].includes(code)),
    );
    const codes = problemsOf(method, path).flatMap(([found, response]) =>
      found === status ? codesOf(response)[0] : [],
    );
    expect(codes).toContain(code);
    expect(having.length).toBeLessThan(operations.length / 4);
  });
});
