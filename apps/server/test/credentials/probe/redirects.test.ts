import { describe, expect, it } from 'vitest';
import { probe, SECRET, SERVER_TOKEN, scripted } from './support.ts';

describe('validating a server that redirects', () => {
  const redirected = async (location: (origin: string) => string, query = '') => {
    const upstream = await scripted(({ respond }) =>
      respond({ status: 308, headers: { Location: location(new URL(upstream.url).origin) } }),
    );
    const { origin } = new URL(upstream.url);
    const { message } = await probe(`${upstream.url}${query}`, SERVER_TOKEN, { isUrlShown: true });
    return message.replaceAll(origin, 'ORIGIN');
  };

  it.each([
    ['a path', () => '/mcp/'],
    ['a URL', (origin: string) => `${origin}/mcp/`],
    ['a URL with a query', (origin: string) => `${origin}/mcp/?key=${SECRET}`],
  ])('names the URL to enter when it stays at the origin: %s', async (_, location) => {
    expect(await redirected(location)).toBe(
      'The server redirects, and redirects are not followed (308, to ORIGIN/mcp/, shown without its query); set the URL to the address that it redirects to.',
    );
  });

  it.each([
    ['another origin', () => 'https://elsewhere.example/mcp/', ''],
    ['the same path', () => '/mcp', ''],
    ['a path that repeats the credential', () => `/mcp/${SECRET}/`, ''],
    [
      'a path that repeats the credential in other letters',
      () => `/mcp/${SECRET.replace('h', '%68')}/`,
      '',
    ],
    ['a path that repeats the query', () => '/mcp/query-secret/', '?key=query-secret'],
    ['a path without end', () => `/${'x'.repeat(300)}`, ''],
    ['nothing that can be read', () => 'http://[', ''],
  ])('shows no part of the location: %s', async (_, location, query) => {
    expect(await redirected(location, query)).toBe(
      'The server redirects, and redirects are not followed (308); set the URL to the address that it redirects to.',
    );
  });
});

describe('validating a server of the old HTTP+SSE transport', () => {
  const old = () =>
    scripted(({ request, respond, startSse, sendEvent }) => {
      if (request.method !== 'GET') return respond({ status: 405 });
      startSse();
      void sendEvent({ event: 'endpoint', data: '/messages?session=1' });
    });

  it('names that transport', async () => {
    expect(await probe((await old()).url, SERVER_TOKEN)).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('the old HTTP+SSE transport'),
    });
  });

  it('finds it valid where nothing is relayed', async () => {
    const answer = await probe((await old()).url, SERVER_TOKEN, {
      category: 'internal_mcp_credentials',
    });
    expect(answer.status).toBe('valid');
  });

  it('does not take another stream for that transport', async () => {
    const upstream = await scripted(({ request, respond, startSse, sendEvent }) => {
      if (request.method !== 'GET') return respond({ status: 405 });
      startSse();
      void sendEvent({ event: 'message', data: 'event: endpoint' });
    });
    expect((await probe(upstream.url, SERVER_TOKEN)).message).toContain('not with MCP (405');
  });
});
