import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildPath, buildQuery, normalizeBaseUrl } from '../../src/transport/url.ts';
import { rejection, thrown } from '../support/rejection.ts';
import { json, startServer } from '../support/server.ts';

describe('the base URL', () => {
  it.each([
    ['https://a.example.com', 'https://a.example.com/api/v1'],
    ['https://a.example.com/', 'https://a.example.com/api/v1'],
    ['https://a.example.com/api/v1', 'https://a.example.com/api/v1'],
    ['https://a.example.com/api/v1//', 'https://a.example.com/api/v1'],
    ['https://a.example.com/tools/', 'https://a.example.com/tools/api/v1'],
    ['https://a.example.com/myapi/v1', 'https://a.example.com/myapi/v1/api/v1'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v1'],
  ])('%s is %s', (given, expected) => {
    expect(normalizeBaseUrl(given)).toBe(expected);
  });

  it.each([
    '',
    'a.example.com',
    'ftp://a.example.com',
    'https://user:hush@a.example.com',
    'https://a.example.com?key=hush',
    'https://a.example.com#hush',
  ])('%j is refused without being quoted', (given) => {
    const error = thrown(() => normalizeBaseUrl(given));
    expect(error.name).toBe('InvalidArgumentError');
    expect(error.message).toContain('baseUrl');
    expect(inspect(error)).not.toContain('hush');
  });
});

describe('a path parameter', () => {
  it.each([
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['x/../y', 'x%2F..%2Fy'],
    ['%2e%2e', '%252e%252e'],
    ['ä b', '%C3%A4%20b'],
    ['$&', '%24%26'],
  ])('%j arrives as one segment', async (id, segment) => {
    const server = await startServer((response) => json(response, 200, {}));
    await server.client().integrations.get(id);
    expect(server.received[0]?.target).toBe(`/api/v1/integrations/${segment}`);
  });

  it.each(['', '.', '..', '\ud800'])('%j is refused and nothing is sent', async (id) => {
    const server = await startServer((response) => json(response, 200, {}));
    const gatehouse = server.client();
    for (const call of [
      gatehouse.integrations.get(id),
      gatehouse.applications.archive(id),
      gatehouse.applications.integrations.attach('a1', id),
      gatehouse.applications.sessions.list(id),
    ]) {
      expect(await rejection(call)).toMatchObject({ name: 'InvalidArgumentError' });
    }
    expect(server.received).toHaveLength(0);
  });

  it('that is missing is refused', () => {
    expect(() => buildPath('/integrations/:id', {})).toThrow(/"id"/);
  });
});

describe('the query', () => {
  it('leaves out what is undefined and keeps false, zero and the empty text', () => {
    expect(buildQuery({ a: undefined, b: false, c: 0, d: '' })).toBe('?b=false&c=0&d=');
  });

  it('encodes its values', () => {
    expect(buildQuery({ name: 'a&b=c d+e' })).toBe('?name=a%26b%3Dc+d%2Be');
  });

  it('is nothing without parameters', () => {
    expect(buildQuery({})).toBe('');
  });
});
