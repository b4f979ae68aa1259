import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { useMember, useStranger } from '../../support/users.ts';
import { createIntegration, problemOf, readIntegration } from './support.ts';

const TOKEN = 'upstream-token-of-this-test';

const server = useServer();
const upstream = use(() => startUpstream({ requireBearer: TOKEN }));
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const validate = (id: string, options = {}) =>
  server.call('POST', `/integrations/${id}/validate`, options);

describe('POST /integrations/:id/validate', () => {
  it('requires a token', async () => {
    const { id } = await createIntegration(server);
    expect((await validate(id, { token: null })).status).toBe(401);
  });

  it('is for admins and owners of the organization', async () => {
    const { id } = await createIntegration(server, { url: upstream.url });
    expect((await validate(id, { token: member.token })).status).toBe(403);
    expect((await validate(id, { token: stranger.token })).status).toBe(404);
    expect((await validate(id, { token: admin.token })).status).toBe(200);
  });

  it('names issuer where a server asks for OAuth and publishes no metadata', async () => {
    const challenging = createServer((req, res) => {
      res.writeHead(req.url === '/mcp' ? 401 : 404, { 'WWW-Authenticate': 'Bearer' }).end();
    });
    await new Promise<void>((resolve) => challenging.listen(0, '127.0.0.1', resolve));
    const { port } = challenging.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mcp`;
    const { id } = await createIntegration(server, { url, authMode: 'oauth' });
    const { status, message } = (await validate(id)).body;
    challenging.close();
    expect(status).toBe('pending');
    expect(message).toContain('set issuer in the OAuth configuration');
    expect(message).not.toContain('connect, then validate');
  });

  it('notes status, message and time, and leaves the configuration version alone', async () => {
    const before = await createIntegration(server, {
      url: upstream.url,
      authMode: 'server_token',
      serverToken: TOKEN,
    });
    const answer = await validate(before.id, { body: {} });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      status: 'valid',
      message: expect.any(String),
      stages: expect.any(Array),
    });
    const read = await server.call('GET', `/integrations/${before.id}`);
    const { lastValidatedAt } = read.body.integration;
    expect(read.body.integration).toStrictEqual({
      ...before,
      validationStatus: 'valid',
      validationMessage: answer.body.message,
      validationStages: answer.body.stages,
      lastValidatedAt,
    });
    expect(Date.now() - Date.parse(lastValidatedAt)).toBeLessThan(60_000);
    expect(read.headers.get('etag')).toBe('"v1"');
    expect(answer.text).not.toContain(TOKEN);
  });

  it('shows no stages of an earlier validation beside the result of an older node', async () => {
    const { id } = await createIntegration(server, { url: upstream.url });
    await validate(id);
    const read = async () => (await server.call('GET', `/integrations/${id}`)).body.integration;
    expect(await read()).toHaveProperty('validationStages');
    await server.store.db.integration.update({
      where: { id },
      data: { validationMessage: 'The server was reached.', lastValidatedAt: new Date() },
    });
    expect(await read()).not.toHaveProperty('validationStages');
  });

  it('answers 200 with invalid for a credential that is refused', async () => {
    const { id } = await createIntegration(server, {
      url: upstream.url,
      authMode: 'server_token',
      serverToken: 'wrong-token-of-this-test',
    });
    const answer = await validate(id);
    expect([answer.status, answer.body.status]).toStrictEqual([200, 'invalid']);
    expect(answer.text).not.toContain('wrong-token-of-this-test');
    expect((await readIntegration(server, id)).validationStatus).toBe('invalid');
  });

  it('uses the caller’s own connection, and says pending until there is one', async () => {
    const { id } = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    expect((await validate(id)).body.status).toBe('pending');
    await server.call('POST', `/integrations/${id}/connection`, { body: { token: TOKEN } });
    expect((await validate(id)).body.status).toBe('valid');
    expect((await validate(id, { token: admin.token })).body.status).toBe('pending');
  });

  it('says on the connection at once whether its token was refused', async () => {
    const { id } = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const reasonAfter = async (token: string) => {
      const path = `/integrations/${id}/connection`;
      await server.call('POST', path, { body: { token } });
      await validate(id);
      return (await server.call('GET', path)).body.connection.reason;
    };
    expect(await reasonAfter('wrong-token-of-this-test')).toBe('rejected_upstream');
    expect(await reasonAfter(TOKEN)).toBeUndefined();
  });

  it('tries again for every call, also with the same Idempotency-Key', async () => {
    const { id } = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const headers = { 'idempotency-key': 'validate-1' };
    expect((await validate(id, { headers })).body.status).toBe('pending');
    await server.call('POST', `/integrations/${id}/connection`, { body: { token: TOKEN } });
    expect((await validate(id, { headers })).body.status).toBe('valid');
  });

  it('does not overwrite a change that came while it was under way', async () => {
    const paused = await startPausedServer();
    const { id } = await createIntegration(server, { url: paused.url });
    const validation = validate(id);
    await paused.reached;
    await server.call('PATCH', `/integrations/${id}`, { body: { url: upstream.url } });
    paused.answer();
    expect((await validation).body.status).toBe('pending');
    const integration = await readIntegration(server, id);
    expect(integration.validationStatus).toBe('pending');
    expect(integration).not.toHaveProperty('validationMessage');
    expect(integration).not.toHaveProperty('lastValidatedAt');
    await paused.close();
  });

  it('holds up no other write while the upstream is slow', async () => {
    const paused = await startPausedServer();
    const { id } = await createIntegration(server, { url: paused.url });
    const validation = validate(id);
    await paused.reached;
    const renamed = await server.call('PATCH', `/integrations/${id}`, {
      body: { name: 'Renamed' },
    });
    expect(renamed.status).toBe(200);
    paused.answer();
    const { body } = await validation;
    expect(await readIntegration(server, id)).toMatchObject({
      name: 'Renamed',
      validationStatus: body.status,
      validationMessage: body.message,
    });
    await paused.close();
  });

  it('refuses an archived integration', async () => {
    const { id } = await createIntegration(server, { url: upstream.url });
    await server.call('DELETE', `/integrations/${id}`);
    expect(problemOf(await validate(id))).toMatchObject({ status: 409, code: 'archived' });
  });
});

/** An upstream that answers 500, but only when released. */
async function startPausedServer() {
  let arrived = () => {};
  let answer = () => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const released = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const paused: Server = createServer(async (req, res) => {
    req.resume();
    arrived();
    await released;
    res.writeHead(500).end();
  });
  await new Promise<void>((resolve) => paused.listen(0, '127.0.0.1', resolve));
  const { port } = paused.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    reached,
    answer,
    close: () => new Promise((resolve) => paused.close(resolve).closeAllConnections()),
  };
}
