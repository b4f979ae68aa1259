import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Gatehouse, type Logger } from '../src/index.ts';
import { resolveOptions } from '../src/resolve-options.ts';
import { fakeClock } from './support/clock.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

afterEach(() => vi.unstubAllEnvs());

function recorder() {
  const lines: string[] = [];
  const write = (level: string) => (message: string, details?: object) =>
    lines.push(`${level} ${message} ${inspect(details, { depth: 10, breakLength: 999 })}`);
  const logger: Logger = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
  };
  return { lines, logger };
}

const titles = (lines: string[]) => lines.map((line) => line.split(' {')[0]);

describe('logging', () => {
  it('writes nothing by default, not even of a failure', async () => {
    vi.stubEnv('GATEHOUSE_LOG', undefined);
    const { lines, logger } = recorder();
    const server = await startServer((response) => problem(response, 404, 'not_found'));
    await rejection(server.client({ logger }).integrations.get('i1'));
    expect(lines).toEqual([]);
  });

  it('is of the level warn by default, and where the environment names no level', () => {
    const levels = () => {
      const { logger } = recorder();
      return Object.keys(resolveOptions({ accessToken: 't', baseUrl: 'http://a', logger }).logger);
    };
    for (const value of [undefined, 'loud']) {
      vi.stubEnv('GATEHOUSE_LOG', value);
      expect(levels()).toEqual(['error', 'warn']);
    }
  });

  it('of the level info writes failures and retries', async () => {
    const { lines, logger } = recorder();
    vi.stubEnv('GATEHOUSE_LOG', 'info');
    const server = await startServer((response) => problem(response, 503, 'overloaded'));
    await rejection(server.client({ logger, clock: fakeClock(), maxRetries: 1 }).me());
    expect(titles(lines)).toEqual(['info GET /me will be retried', 'info GET /me failed']);
    expect(lines[0]).toContain('delay: 500');
    expect(lines[1]).toContain('overloaded');
    expect(lines[1]).toContain('request-1');
  });

  it('of the level debug writes every request', async () => {
    const { lines, logger } = recorder();
    const server = await startServer((response) => json(response, 200, {}));
    await server.client({ logger, logLevel: 'debug' }).me();
    expect(titles(lines)).toEqual(['debug GET /me sent', 'debug GET /me responded']);
  });

  it('shows what is harmless of a request and hides every other text', async () => {
    const { lines, logger } = recorder();
    const server = await startServer((response) => json(response, 201, { integration: {} }));
    await server.client({ logger, logLevel: 'debug', accessToken: 'hush' }).integrations.create(
      {
        name: 'Issue tracker',
        url: 'https://mcp.example.com/?key=hush',
        authMode: 'server_token',
        serverToken: 'hush',
        capabilities: { tools: ['hush'], limit: 5 },
      },
      { headers: { 'x-secret': 'hush', 'X-Request-Id': 'mine' }, idempotencyKey: 'hush' },
    );
    expect(lines[0]).toContain("'x-request-id': 'mine'");
    expect(lines[0]).toContain("name: 'Issue tracker'");
    expect(lines[0]).toContain("serverToken: '[redacted]'");
    expect(lines[0]).toContain("tools: [ '[redacted]' ], limit: 5");
    expect(lines[0]).not.toContain('authorization');
    expect(lines.join()).not.toContain('hush');
  });

  it('never writes a secret of an answer, an error or a query', async () => {
    const { lines, logger } = recorder();
    const server = await startServer((response, { target }) => {
      if (target.endsWith('/tokens')) json(response, 200, { secret: 'hush' }, { 'x-echo': 'hush' });
      else problem(response, 400, 'validation_failed', { detail: 'hush' });
    });
    const client = server.client({ logger, logLevel: 'debug', accessToken: 'hush' });
    await client.tokens.create({ name: 'A', scopes: ['mcp'] });
    await rejection(client.integrations.list({ name: 'hush', cursor: 'hush' }));
    await rejection(client.integrations.update('i1', { serverToken: 'hush' }));
    expect(titles(lines).filter((title) => title?.endsWith('failed'))).toHaveLength(2);
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
