import { describe, expect, it } from 'vitest';
import {
  createIntegrationBodySchema,
  listIntegrationsQuerySchema,
  problemCodes,
  problemSchema,
  requestProblem,
} from '../../src/index.ts';

const issues = (body: unknown) => createIntegrationBodySchema.safeParse(body).error?.issues ?? [];

describe('the problem codes', () => {
  it('are snake_case with an error status and a title that is a sentence', () => {
    for (const [code, { status, title }] of Object.entries(problemCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(title).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are the only codes a problem document can have', () => {
    const problem = { type: 'x', title: 'x', status: 400, requestId: 'r' };
    expect(problemSchema.safeParse({ ...problem, code: 'not_found' }).success).toBe(true);
    expect(problemSchema.safeParse({ ...problem, code: 'toString' }).success).toBe(false);
  });
});

describe('a request problem', () => {
  it('is unknown_field when nothing else is wrong, with one pointer for each field', () => {
    const body = issues({ name: 'a', url: 'https://a.example', 'x/y~z': 1, nme: 2 });
    expect(requestProblem({ body })).toEqual({
      code: 'unknown_field',
      errors: [
        { pointer: '/x~1y~0z', code: 'unknown_field', message: 'There is no such field.' },
        { pointer: '/nme', code: 'unknown_field', message: 'There is no such field.' },
      ],
    });
  });

  it('is validation_failed when a known field is wrong too', () => {
    const { code, errors } = requestProblem({ body: issues({ name: '', url: 'x', nme: 2 }) });
    expect(code).toBe('validation_failed');
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/name', '/nme', '/url']);
  });

  it('names parameters of path and query instead of pointers', () => {
    const query = listIntegrationsQuerySchema.safeParse({ limit: '0' }).error?.issues;
    expect(requestProblem({ query, path: [{ message: 'Must be a UUID.', path: ['id'] }] })).toEqual(
      {
        code: 'validation_failed',
        errors: [
          { parameter: 'id', code: 'invalid_value', message: 'Must be a UUID.' },
          { parameter: 'limit', code: 'invalid_value', message: 'Must be a positive integer.' },
        ],
      },
    );
  });

  it('points into nested fields and at the whole body', () => {
    const nested = issues({
      name: 'a',
      url: 'https://a.example',
      oauth: { scopes: ['ok', 'a b'] },
    });
    expect(requestProblem({ body: nested }).errors[0]?.pointer).toBe('/oauth/scopes/1');
    expect(requestProblem({ body: issues(undefined) }).errors[0]?.pointer).toBe('');
  });

  it('never repeats an input value', () => {
    const secret = 'hunter2';
    const values = { name: [secret], url: secret, category: secret, serverToken: `${secret}\n` };
    expect(JSON.stringify(requestProblem({ body: issues(values) }))).not.toContain(secret);
  });

  it('lists at most 20 errors', () => {
    const body = issues({
      name: 'a',
      url: 'https://a.example',
      oauth: { scopes: Array(60).fill('') },
    });
    expect(requestProblem({ body }).errors).toHaveLength(20);
  });
});
