import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as sdk from '../src/index.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

const byStatus = [
  [400, sdk.BadRequestError],
  [401, sdk.AuthenticationError],
  [403, sdk.PermissionDeniedError],
  [404, sdk.NotFoundError],
  [409, sdk.ConflictError],
  [412, sdk.PreconditionFailedError],
  [413, sdk.PayloadTooLargeError],
  [422, sdk.UnprocessableContentError],
  [429, sdk.RateLimitError],
  [500, sdk.ServerError],
  [503, sdk.ServerError],
  [415, sdk.ApiError],
] as const;

describe('an answer that is no success', () => {
  it.each(byStatus)('of status %d is thrown as its class', async (status, Class) => {
    const server = await startServer((response) => problem(response, status, 'some_code'));
    const error = await rejection(server.client().integrations.get('i1'));
    expect(error.constructor).toBe(Class);
    expect(error.name).toBe(Class.name);
    expect(error.stack).toContain(`${status} some_code`);
    expect(error).toBeInstanceOf(sdk.ApiError);
    expect(error).toBeInstanceOf(sdk.GatehouseError);
    expect(error).toMatchObject({ status, code: 'some_code', requestId: 'request-1' });
  });

  it('carries the problem document, and names the wrong fields in its message', async () => {
    const members = {
      detail: 'Two fields are wrong.',
      instance: '/api/v1/integrations',
      requestId: 'request-1',
      errors: [
        { pointer: '/name', code: 'too_small', message: 'Must not be empty.' },
        { parameter: 'limit', code: 'invalid', message: 'Must be positive.' },
      ],
    };
    const server = await startServer((response) =>
      problem(response, 400, 'validation_failed', members),
    );
    const error = await rejection(server.client().integrations.list());
    expect(sdk.isApiError(error) && error.problem).toMatchObject({
      type: 'urn:gatehouse:problem:validation_failed',
      title: 'A title.',
      ...members,
    });
    expect(error.message).toBe(
      '400 validation_failed: Two fields are wrong. /name: Must not be empty. limit: Must be positive.',
    );
  });

  it('says a sentence once that is both the detail and the message of a field', async () => {
    const message = 'The address may not be reached.';
    const errors = [{ pointer: '/url', code: 'egress_denied', message }];
    const server = await startServer((response) =>
      problem(response, 400, 'egress_denied', { detail: message, errors }),
    );
    const error = await rejection(server.client().me());
    expect(error.message).toBe(`400 egress_denied: /url: ${message}`);
  });

  it('is written as JSON with its message, code, status and request id', async () => {
    const server = await startServer((response) => problem(response, 404, 'not_found'));
    const error = await rejection(server.client().me());
    expect(JSON.parse(JSON.stringify({ error }))).toMatchObject({
      error: {
        name: 'NotFoundError',
        message: error.message,
        code: 'not_found',
        status: 404,
        requestId: 'request-1',
      },
    });
    const own = new sdk.ConnectionError('The connection failed.', { cause: new Error('secret') });
    expect(JSON.parse(JSON.stringify(own))).toEqual({
      name: 'ConnectionError',
      message: 'The connection failed.',
      code: 'connection_failed',
    });
  });

  it('of status 412 has the present ETag', async () => {
    const server = await startServer((response) => json(response, 412, {}, { etag: '"v7"' }));
    const error = await rejection(server.client().integrations.archive('i1', { ifMatch: '"v6"' }));
    expect(error instanceof sdk.PreconditionFailedError && error.etag).toBe('"v7"');
  });

  it('gives access to its headers', async () => {
    const server = await startServer((response) => json(response, 429, {}, { 'retry-after': '7' }));
    const error = await rejection(server.client().me());
    expect(sdk.isApiError(error) && error.headers.get('retry-after')).toBe('7');
  });

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['JSON that is no problem', '{"error":"nope"}'],
    ['a JSON string', '"nope"'],
    [
      'a problem with errors that are not a list',
      '{"type":"t","title":"t","code":"c","errors":{}}',
    ],
  ])('without a problem document but %s names the request, and quotes nothing', async (_, body) => {
    const server = await startServer((response) => response.writeHead(502).end(body));
    const error = await rejection(server.client().me());
    expect(error).toMatchObject({ name: 'ServerError', status: 502, code: 'unexpected_response' });
    expect(error).toMatchObject({
      problem: undefined,
      message: `502 unexpected_response: GET ${server.origin}/api/v1/me returned no type, not from a Gatehouse.`,
    });
  });
});

describe('a success that is not the expected one', () => {
  it.each([
    ['HTML', '<p>gh_cs_secret</p>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
  ])('because it holds %s is an InvalidResponseError that quotes nothing', async (_, body) => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'x-request-id': 'request-1' }).end(body),
    );
    const error = await rejection(server.client().me());
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      code: 'invalid_response',
      status: 200,
      requestId: 'request-1',
    });
    expect(inspect(error)).not.toContain('gh_cs_secret');
    expect(sdk.isApiError(error)).toBe(false);
  });

  it('because it redirects is an InvalidResponseError, and the target gets no request', async () => {
    const target = await startServer((response) => json(response, 200, {}));
    const server = await startServer((response) =>
      response.writeHead(307, { location: `${target.origin}/api/v1/me` }).end(),
    );
    const error = await rejection(server.client().me());
    expect(error).toMatchObject({ name: 'InvalidResponseError', status: 307 });
    expect(target.received).toHaveLength(0);
  });
});

describe('a connection that fails', () => {
  it('before the answer is a ConnectionError with its cause', async () => {
    const server = await startServer((response) => response.destroy());
    const error = await rejection(server.client().me());
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('within the body is a ConnectionError', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"user":', () => response.destroy());
    });
    const error = await rejection(server.client().me());
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  });
});

describe('the guards', () => {
  it('recognise errors of another copy of the package', async () => {
    vi.resetModules();
    const copy: typeof sdk = await import('../src/index.ts');
    const error = new copy.NotFoundError({
      status: 404,
      headers: new Headers(),
      requestId: undefined,
      problem: undefined,
    });
    expect(error).not.toBeInstanceOf(sdk.NotFoundError);
    expect(sdk.isApiError(error)).toBe(true);
    expect(sdk.isGatehouseError(error)).toBe(true);
  });

  it('tell errors of the client from those of the API', () => {
    const error = new sdk.InvalidArgumentError('No.');
    expect(sdk.isGatehouseError(error)).toBe(true);
    expect(sdk.isApiError(error)).toBe(false);
  });

  it.each([null, undefined, 'x', new Error('x'), { code: 'x' }])('refuse %s', (value) => {
    expect(sdk.isGatehouseError(value)).toBe(false);
    expect(sdk.isApiError(value)).toBe(false);
  });
});
