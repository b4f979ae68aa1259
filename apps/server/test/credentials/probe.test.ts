import { findFreePort } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { EgressError } from '../../src/egress/errors.ts';
import {
  CONNECTION,
  expectPlain,
  NONE,
  NOT_CONNECTED,
  probe,
  reference,
  rpcMethodOf,
  SECRET,
  SERVER_TOKEN,
  scripted,
  startTls,
} from './probe/support.ts';

describe('validating a real MCP server', () => {
  it.each(['modern', 'legacy'] as const)(
    'finds it valid in the %s era and leaves no session behind',
    async (era) => {
      const upstream = await reference({ requireBearer: SECRET }, era);
      expect(await probe(upstream.url, SERVER_TOKEN)).toMatchObject({
        status: 'valid',
        message: 'The server was reached over MCP and accepted the server token.',
      });
      expect(upstream.sessionIds).toEqual([]);
      const methods = upstream.requests.map(({ method, body }) => rpcMethodOf(body) ?? method);
      const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
      expect(methods).toEqual(
        era === 'modern'
          ? ['server/discover', ...lists]
          : ['server/discover', 'initialize', 'notifications/initialized', ...lists, 'DELETE'],
      );
    },
  );

  it('finds one without authentication valid, and sends it nothing', async () => {
    const upstream = await reference({});
    expect((await probe(upstream.url, NONE)).message).toBe(
      'The server was reached over MCP and asks for no credential.',
    );
    expect(upstream.requests.some(({ headers }) => headers.authorization)).toBe(false);
  });

  it('says which credential was refused, and notes it at the connection', async () => {
    const upstream = await reference({ requireBearer: 'another' });
    expect(await probe(upstream.url, SERVER_TOKEN)).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('refused the server token (401)'),
    });
    const reports: string[] = [];
    expect(await probe(upstream.url, CONNECTION, { reports })).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('refused your connection (401)'),
    });
    expect(reports).toEqual(['refused connection-1']);
  });

  it('notes at the connection that it was accepted', async () => {
    const upstream = await reference({ requireBearer: SECRET });
    const reports: string[] = [];
    expect(await probe(upstream.url, CONNECTION, { reports })).toMatchObject({ status: 'valid' });
    expect(reports).toEqual(['accepted connection-1']);
  });

  it('is pending while there is no credential to try, whether the server demands one or not', async () => {
    const greeting = await reference({});
    const challenging = await reference({ requireBearer: SECRET });
    for (const { url } of [greeting, challenging]) {
      const answer = await probe(url, NOT_CONNECTED);
      expect(answer).toMatchObject({
        status: 'pending',
        message: expect.stringContaining('connect, then validate again'),
      });
      expect(
        await probe(url, { kind: 'unavailable', reason: 'server_token_missing' }),
      ).toMatchObject({ status: 'pending', message: expect.stringContaining('serverToken') });
      expect(await probe(url, { kind: 'unavailable', reason: 'client_rejected' })).toMatchObject({
        status: 'pending',
      });
    }
  });

  it('is invalid when the mode is `none` and the server asks for a credential', async () => {
    const { url } = await reference({ requireBearer: SECRET });
    expect(await probe(url, NONE)).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('authMode'),
    });
  });

  it.each(['modern', 'legacy'] as const)(
    'notices a %s server that lets anyone connect but protects its tools',
    async (era) => {
      const upstream = await reference({}, era, 'tools/list');
      expect(await probe(upstream.url, CONNECTION)).toMatchObject({
        status: 'invalid',
        message: expect.stringContaining('refused your connection (401)'),
      });
      expect(await probe(upstream.url, NOT_CONNECTED)).toMatchObject({ status: 'pending' });
      expect(upstream.sessionIds).toEqual([]);
    },
  );

  it.each(['expired', 'decryption_failed'] as const)(
    'is invalid without a call when the credential is %s',
    async (reason) => {
      const upstream = await reference({});
      const outcome =
        reason === 'expired'
          ? ({ kind: 'needs_user', reason } as const)
          : ({ kind: 'unavailable', reason } as const);
      expect(await probe(upstream.url, outcome)).toMatchObject({ status: 'invalid' });
      expect(upstream.requests).toEqual([]);
    },
  );
});

describe('validating what cannot be reached', () => {
  it('names the stage that failed, and quotes no URL', async () => {
    const refused = await probe(
      `http://127.0.0.1:${await findFreePort()}/mcp?key=${SECRET}`,
      SERVER_TOKEN,
    );
    expect(refused).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('refuses connections'),
    });
    const unknown = await probe(`https://mcp.example/mcp?key=${SECRET}`, SERVER_TOKEN, {
      egress: {
        resolve: () => Promise.reject(new EgressError('unreachable', 'name_not_found')),
      },
    });
    expect(unknown).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('cannot be resolved'),
    });
    const dropped = await probe((await scripted(({ drop }) => drop())).url, SERVER_TOKEN);
    expect(dropped).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('closed the connection'),
    });
    for (const { message } of [refused, unknown, dropped]) expectPlain(message);
  });

  it('says that a certificate is not trusted', async () => {
    const answer = await probe(`https://localhost:${await startTls()}/mcp`, SERVER_TOKEN);
    expect(answer).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('trusted authority'),
    });
  });

  it('does not reach private addresses, and names the setting that would allow it', async () => {
    const upstream = await reference({});
    const answer = await probe(upstream.url, SERVER_TOKEN, { egress: { allowedNetworks: [] } });
    expect(answer).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('GATEHOUSE_ALLOWED_NETWORKS'),
    });
    expect(upstream.requests).toEqual([]);
  });

  it('sends no credential over plain http to a public address', async () => {
    const answer = await probe('http://8.8.8.8/mcp', SERVER_TOKEN);
    expect(answer).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('use an https URL'),
    });
  });
});

describe('validating a credential-only entry', () => {
  const category = 'internal_mcp_credentials';

  it('is valid when the credential is accepted, over MCP or not', async () => {
    const mcp = await reference({ requireBearer: SECRET });
    expect(await probe(mcp.url, SERVER_TOKEN, { category })).toMatchObject({ status: 'valid' });
    const api = await scripted(({ request, respond }) =>
      respond({ status: request.headers.authorization === `Bearer ${SECRET}` ? 200 : 401 }),
    );
    expect(await probe(api.url, SERVER_TOKEN, { category })).toMatchObject({
      status: 'valid',
      message:
        'The server was reached and accepted the server token. Its credential is handed out to applications; no calls go through the gateway.',
    });
    expect(await probe(api.url, NONE, { category })).toMatchObject({ status: 'invalid' });
  });

  it('is pending, and says so, when a private address was not tried', async () => {
    const upstream = await reference({});
    const answer = await probe(upstream.url, SERVER_TOKEN, {
      category,
      egress: { allowedNetworks: [] },
    });
    expect(answer).toMatchObject({
      status: 'pending',
      message: expect.stringContaining('not tried'),
    });
    expect(upstream.requests).toEqual([]);
  });

  it('is invalid when it cannot be reached', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    expect(await probe(url, SERVER_TOKEN, { category })).toMatchObject({ status: 'invalid' });
  });
});
