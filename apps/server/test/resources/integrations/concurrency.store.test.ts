import { describe, expect, it } from 'vitest';
import { meetAt } from '../../support/meet.ts';
import { type Called, type TestServer, useServer } from '../../support/server.ts';
import { createIntegration, readIntegration } from './support.ts';

const server = useServer();

const patch = (id: string, body: unknown, headers = {}) =>
  server.call('PATCH', `/integrations/${id}`, { body, headers });
const versionOf = ({ headers }: Called) => Number(headers.get('etag')?.match(/^"v(\d+)"$/)?.[1]);
const statusesOf = (answers: readonly Called[]) => answers.map(({ status }) => status).sort();
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('concurrent changes of one integration', () => {
  it('let exactly one of several with the same If-Match win', async () => {
    const { id } = await createIntegration(server);
    const answers = await Promise.all(
      times(12, (i) => patch(id, { name: `writer ${i}` }, { 'if-match': '"v1"' })),
    );
    expect(statusesOf(answers)).toStrictEqual([200, ...Array(11).fill(412)]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await readIntegration(server, id)).toStrictEqual(winner?.body.integration);
  });

  it('lose no write: every answer is the state after a serial order of the others', async () => {
    const { id } = await createIntegration(server, { capabilities: {} });
    const answers = await Promise.all([
      ...times(8, (i) => patch(id, { name: `name ${i}` })),
      ...times(8, (i) => patch(id, { capabilities: { tools: i } })),
    ]);
    const ordered = answers.sort((a, b) => versionOf(a) - versionOf(b));
    expect(ordered.map(versionOf)).toStrictEqual(times(16, (i) => i + 2));
    let previous = { name: 'Search', capabilities: {} };
    for (const { body } of ordered) {
      const { name, capabilities } = body.integration;
      const isSame = [
        name === previous.name,
        JSON.stringify(capabilities) === JSON.stringify(previous.capabilities),
      ];
      expect(isSame.filter(Boolean)).toHaveLength(1);
      previous = { name, capabilities };
    }
    expect(await readIntegration(server, id)).toMatchObject(previous);
  });

  it('are refused once it is archived, and several requests archive it once', async () => {
    const { id } = await createIntegration(server);
    const [archives, patches] = await Promise.all([
      Promise.all(times(4, () => server.call('DELETE', `/integrations/${id}`))),
      Promise.all(times(8, (i) => patch(id, { name: `name ${i}` }))),
    ]);
    expect(statusesOf(archives)).toStrictEqual([204, 204, 204, 204]);
    const [archivedVersion, ...others] = new Set(archives.map(versionOf));
    expect(others).toStrictEqual([]);
    const changed = patches.filter(({ status }) => status === 200);
    expect(patches.filter(({ status }) => status === 409)).toHaveLength(8 - changed.length);
    expect(changed.map(versionOf).sort((a, b) => a - b)).toStrictEqual(
      times(changed.length, (i) => i + 2),
    );
    expect(archivedVersion).toBe(changed.length + 2);
  });

  it('never leave the mode server_token without a usable token', async () => {
    const { id } = await createIntegration(server, { serverToken: 'a' });
    const answers = await Promise.all([
      patch(id, { authMode: 'server_token' }),
      patch(id, { serverToken: null }),
      patch(id, { url: 'https://elsewhere.example.com/' }),
      patch(id, { authMode: 'server_token' }),
      patch(id, { url: 'https://mcp.example.com/' }),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { status, body } of answers) {
      expect([200, 400]).toContain(status);
      if (status !== 200 || body.integration.authMode !== 'server_token') continue;
      expect(body.integration.serverTokenConfigured).toBe(true);
    }
    const { authMode, serverTokenConfigured } = (await server.call('GET', `/integrations/${id}`))
      .body.integration;
    expect(authMode === 'server_token' && !serverTokenConfigured).toBe(false);
  });

  it('keep an OAuth configuration and its secret together', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    const body = { provider: 'x', issuer: 'https://id.example.com', scopes: [], clientSecret: 's' };
    const answers = await Promise.all(
      times(10, (i) =>
        i % 2 === 0
          ? server.call('PUT', `/integrations/${id}/oauth`, { body })
          : server.call('DELETE', `/integrations/${id}/oauth`),
      ),
    );
    expect(new Set(statusesOf(answers))).toStrictEqual(new Set([200, 204]));
    const { oauth } = await readIntegration(server, id);
    const secrets = await server.store.db.integrationSecret.count({ where: { integrationId: id } });
    expect(secrets).toBe(oauth === undefined ? 0 : 1);
  });
});

describe('concurrent connections', () => {
  it('of one user leave one credential', async () => {
    const { id } = await createIntegration(server, { authMode: 'user_token' });
    const answers = await Promise.all(
      times(8, (i) =>
        server.call('POST', `/integrations/${id}/connection`, { body: { token: `t${i}` } }),
      ),
    );
    expect(statusesOf(answers)).toStrictEqual(Array(8).fill(200));
    expect(await server.store.db.connection.count({ where: { integrationId: id } })).toBe(1);
  });

  it('are refused from the moment the integration is archived', async () => {
    const { id } = await createIntegration(server, { authMode: 'user_token' });
    const connect = () =>
      server.call('POST', `/integrations/${id}/connection`, { body: { token: 'x' } });
    const answers = await Promise.all([
      ...times(4, connect),
      server.call('DELETE', `/integrations/${id}`).then(connect),
      ...times(4, connect),
    ]);
    expect(answers[4]?.status).toBe(409);
    for (const { status } of answers) expect([200, 409]).toContain(status);
  });

  it('wait for an archive that is under way', async () => {
    const { id } = await createIntegration(server, { authMode: 'user_token' });
    const archive = (db: TestServer['store']['db']) =>
      db.integration.update({ where: { id }, data: { archivedAt: new Date() } });
    const connect = () =>
      server.call('POST', `/integrations/${id}/connection`, { body: { token: 'x' } });
    const [connecting] = await meetAt(server, archive, [connect]);
    expect(connecting?.status).toBe(409);
  });

  it('are bound to the url that the integration had when they were entered', async () => {
    const { id } = await createIntegration(server, { authMode: 'user_token' });
    await Promise.all([
      ...times(4, (i) =>
        server.call('POST', `/integrations/${id}/connection`, { body: { token: `t${i}` } }),
      ),
      patch(id, { url: 'https://elsewhere.example.com/' }),
    ]);
    const stored = await server.store.db.connection.findFirstOrThrow({
      where: { integrationId: id },
    });
    const { userConnection } = await readIntegration(server, id);
    const isPresent = stored.destination === 'https://elsewhere.example.com';
    expect(userConnection?.connected).toBe(isPresent);
  });
});
