import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Fetch, Gatehouse, type Logger } from '../src/index.ts';
import { rejection, thrown } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function withoutEnvironment() {
  vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', undefined);
  vi.stubEnv('GATEHOUSE_BASE_URL', undefined);
  vi.stubEnv('GATEHOUSE_LOG', undefined);
}

function recorder() {
  const lines: string[] = [];
  const write = (level: string) => (message: string, details?: object) =>
    lines.push(`${level} ${message} ${inspect(details, { depth: 10 })}`);
  const logger: Logger = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
  };
  return { lines, logger };
}

describe('the environment', () => {
  it('gives access token and base URL', async () => {
    const server = await startServer((response) => json(response, 200, {}));
    vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', ' gh_pat_env\n');
    vi.stubEnv('GATEHOUSE_BASE_URL', server.origin);
    await new Gatehouse().me();
    expect(server.received[0]).toMatchObject({
      target: '/api/v1/me',
      headers: { authorization: 'Bearer gh_pat_env' },
    });
  });

  it('yields to the options', async () => {
    const server = await startServer((response) => json(response, 200, {}));
    vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', 'gh_pat_env');
    vi.stubEnv('GATEHOUSE_BASE_URL', 'http://127.0.0.1:1');
    await server.client({ accessToken: 'gh_pat_option' }).me();
    expect(server.received[0]?.headers.authorization).toBe('Bearer gh_pat_option');
  });

  it('is not read for an option that is given but empty', () => {
    vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', 'gh_pat_env');
    expect(() => new Gatehouse({ accessToken: '', baseUrl: 'http://a' })).toThrow(/accessToken/);
  });

  it('may be missing where there is no process', () => {
    vi.stubGlobal('process', undefined);
    expect(() => new Gatehouse({ baseUrl: 'http://a' })).toThrow(/GATEHOUSE_ACCESS_TOKEN/);
    expect(() => new Gatehouse({ baseUrl: 'http://a', accessToken: 't' })).not.toThrow();
  });

  it('may be closed to the program', () => {
    const env = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no permission');
        },
      },
    );
    vi.stubGlobal('process', { env });
    expect(() => new Gatehouse({ accessToken: 't' })).toThrow(/GATEHOUSE_BASE_URL/);
  });

  it('must hold what the options do not', () => {
    withoutEnvironment();
    expect(() => new Gatehouse({ baseUrl: 'http://a' })).toThrow(/GATEHOUSE_ACCESS_TOKEN/);
    expect(() => new Gatehouse({ accessToken: 't' })).toThrow(/GATEHOUSE_BASE_URL/);
    vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', '');
    expect(() => new Gatehouse({ baseUrl: 'http://a' })).toThrow(/GATEHOUSE_ACCESS_TOKEN/);
  });
});

describe('the access token', () => {
  it.each(['hush\n', 'hush hush', 'hush\u2026', 'hush\0'])('%j is refused, unquoted', (token) => {
    const error = thrown(() => new Gatehouse({ accessToken: token, baseUrl: 'http://a' }));
    expect(error.name).toBe('InvalidArgumentError');
    expect(error.message).toContain('accessToken');
    expect(inspect(error)).not.toContain('hush');
  });

  it('does not show when the client is printed', () => {
    const gatehouse = new Gatehouse({ accessToken: 'gh_pat_hush', baseUrl: 'http://a' });
    expect(inspect(gatehouse, { depth: 10, showHidden: true })).not.toContain('hush');
    expect(JSON.stringify(gatehouse)).not.toContain('hush');
  });
});

describe('a fetch of the caller', () => {
  it('is called without this, with a URL and a signal', async () => {
    const seen: unknown[] = [];
    const fetch: Fetch = function (this: unknown, url, init) {
      seen.push(this, url, init.signal?.aborted);
      return Promise.resolve(Response.json({}));
    };
    await new Gatehouse({ accessToken: 't', baseUrl: 'http://a', fetch }).me();
    expect(seen).toEqual([undefined, 'http://a/api/v1/me', false]);
  });

  it('that throws at once is a ConnectionError', async () => {
    const fetch: Fetch = () => {
      throw new Error('offline');
    };
    const error = await rejection(
      new Gatehouse({ accessToken: 't', baseUrl: 'http://a', fetch }).me(),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'offline' } });
  });
});

describe('logging', () => {
  it('writes nothing by default, not even of a failure', async () => {
    withoutEnvironment();
    const { lines, logger } = recorder();
    const server = await startServer((response) => problem(response, 404, 'not_found'));
    await rejection(server.client({ logger }).integrations.get('i1'));
    expect(lines).toEqual([]);
  });

  it('of the level info writes failures, debug every request', async () => {
    const { lines, logger } = recorder();
    const server = await startServer((response, { target }) => {
      if (target.endsWith('/me')) json(response, 200, {}, { 'x-request-id': 'request-0' });
      else problem(response, 404, 'not_found');
    });
    vi.stubEnv('GATEHOUSE_LOG', 'info');
    for (const logLevel of [undefined, 'debug'] as const) {
      const client = server.client({ logger, logLevel });
      await client.me();
      await rejection(client.integrations.get('i1'));
    }
    expect(lines.map((line) => line.split(' {')[0])).toEqual([
      'info GET /integrations/i1 failed',
      'debug GET /me',
      'info GET /integrations/i1 failed',
    ]);
    expect(lines[0]).toContain('not_found');
    expect(lines[1]).toContain('request-0');
  });

  it('never writes a secret, a header or a body', async () => {
    const { lines, logger } = recorder();
    const server = await startServer((response, { target }) => {
      if (target.endsWith('/tokens')) json(response, 200, { secret: 'hush' }, { 'x-echo': 'hush' });
      else problem(response, 400, 'validation_failed', { detail: 'hush' });
    });
    const client = server.client({ logger, logLevel: 'debug', accessToken: 'hush' });
    const headers = { 'x-secret': 'hush' };
    await client.tokens.create({ name: 'hush', scopes: ['mcp'] }, { headers });
    await rejection(client.integrations.list({ name: 'hush', cursor: 'hush' }));
    await rejection(client.integrations.update('i1', { serverToken: 'hush' }));
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('hush');
  });

  it('ignores an unknown level of the environment with a warning, refuses one of the options', () => {
    const { lines, logger } = recorder();
    const options = { accessToken: 't', baseUrl: 'http://a', logger };
    vi.stubEnv('GATEHOUSE_LOG', 'loud');
    new Gatehouse(options);
    expect(lines).toEqual([expect.stringContaining('warn GATEHOUSE_LOG')]);
    const logLevel = 'loud' as 'warn';
    expect(() => new Gatehouse({ ...options, logLevel })).toThrow(/logLevel/);
  });
});
