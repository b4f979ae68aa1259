import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Fetch, Gatehouse } from '../src/index.ts';
import { rejection, thrown } from './support/rejection.ts';
import { json, startServer } from './support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function withoutEnvironment() {
  vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', undefined);
  vi.stubEnv('GATEHOUSE_BASE_URL', undefined);
  vi.stubEnv('GATEHOUSE_LOG', undefined);
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
