import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClosableCredentials, createCredentials } from '../../src/credentials/credentials.ts';
import { createUnreadableRows } from '../../src/credentials/unreadable-rows.ts';
import { createId } from '../../src/platform/ids.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { connectionSealContext } from '../../src/vault/seal-contexts.ts';
import { createVault } from '../../src/vault/vault.ts';
import { type TestStore, useStore } from '../support/store.ts';
import { sealedInFirstFormat } from '../vault/first-format.ts';
import { createTestOrganization, key, type TestOrganization, vault } from './fixtures.ts';
import { noRefresher } from './no-refresher.ts';

const store = useStore();
let organization: TestOrganization;
let userId: string;
const opened: ClosableCredentials[] = [];
beforeAll(async () => {
  organization = await createTestOrganization(store);
  userId = organization.userId;
});
afterEach(() => Promise.all(opened.splice(0).map((credentials) => credentials.close())));

describe('resolving', () => {
  it('sends nothing in the mode `none`, and does not ask the database', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'none' });
    store.statements();
    const ready = { kind: 'ready', headers: [], source: 'none', connectionId: undefined };
    expect(credentials.peek(target, userId)).toEqual(ready);
    expect(await credentials.resolve(target, userId)).toEqual(ready);
    expect(store.statements()).toEqual([]);
  });

  it('sends the server token as a bearer to the origin it was entered for', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'server_token' });
    expect(await credentials.resolve(target, userId)).toEqual({
      kind: 'unavailable',
      reason: 'server_token_missing',
    });
    await organization.setServerToken(target, 'server-token');
    await changed({ kind: 'integration', id: target.integrationId });
    expect(await credentials.resolve(target, userId)).toEqual({
      kind: 'ready',
      headers: [['authorization', 'Bearer server-token']],
      source: 'server_token',
      connectionId: undefined,
    });
    expect(
      await credentials.resolve({ ...target, url: 'https://mcp.example/elsewhere' }, userId),
    ).toMatchObject({ kind: 'ready' });
    for (const url of [
      'https://evil.example/mcp',
      'http://mcp.example/mcp',
      'https://mcp.example:8443/mcp',
    ]) {
      expect(await credentials.resolve({ ...target, url }, userId)).toEqual({
        kind: 'unavailable',
        reason: 'server_token_missing',
      });
    }
  });

  it("sends the caller's own connection, as the schema says", async () => {
    const credentials = open();
    const credentialSchema = { properties: { key: { type: 'string', 'x-header': 'X-Api-Key' } } };
    const target = await organization.addIntegration({ authMode: 'user_token', credentialSchema });
    expect(await credentials.resolve(target, userId)).toEqual({
      kind: 'needs_user',
      reason: 'connection_required',
    });
    const { id } = await organization.connect(target, { token: 'user-token' });
    await changed({ kind: 'connection', id: `${target.integrationId}:${userId}` });
    const outcome = await credentials.resolve(target, userId);
    expect(outcome).toEqual({
      kind: 'ready',
      headers: [['x-api-key', 'user-token']],
      source: 'connection',
      connectionId: id,
    });
    expect(await credentials.resolve({ ...target, credentialSchema: null }, userId)).toMatchObject({
      headers: [['authorization', 'Bearer user-token']],
    });
    expect(await credentials.resolve(target, createId().id)).toEqual({
      kind: 'needs_user',
      reason: 'connection_required',
    });
  });

  it('does not send a connection that was made for another destination or mode', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    const reauth = { kind: 'needs_user', reason: 'needs_reauth' };
    expect(
      await credentials.resolve({ ...target, url: 'https://evil.example/mcp' }, userId),
    ).toEqual(reauth);
    expect(await credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    await store.db.connection.update({ where: { id }, data: { mode: 'oauth' } });
    await changed({ kind: 'connection', id: `${target.integrationId}:${userId}` });
    expect(await credentials.resolve(target, userId)).toEqual(reauth);
  });

  it('does not open a row after its destination was changed in the database', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    await store.db.connection.update({
      where: { id },
      data: { destination: 'https://evil.example' },
    });
    const moved = { ...target, url: 'https://evil.example/mcp' };
    expect(await credentials.resolve(moved, userId)).toEqual({
      kind: 'unavailable',
      reason: 'decryption_failed',
    });
  });

  it('does not open a connection that was reassigned to another user in the database', async () => {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    const { organizationId } = organization;
    const user = { organizationId, email: 'thief@example.com', name: 'T', role: 'member' } as const;
    const thief = await store.db.user.create({ data: { ...createId(), ...user } });
    await store.db.connection.update({ where: { id }, data: { userId: thief.id } });
    expect(await open().resolve(target, thief.id)).toEqual({
      kind: 'unavailable',
      reason: 'decryption_failed',
    });
  });

  it('does not open a row that was reassigned to another integration in the database', async () => {
    const [from, to] = [
      await organization.addIntegration({ authMode: 'server_token' }),
      await organization.addIntegration({ authMode: 'server_token' }),
    ];
    const { id } = await organization.setServerToken(from, 'server-token');
    const { integrationId } = to;
    await store.db.integrationSecret.update({ where: { id }, data: { integrationId } });
    expect(await open().resolve(to, userId)).toEqual({
      kind: 'unavailable',
      reason: 'decryption_failed',
    });
  });

  it('seals a row of the first format again at its first use', async () => {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const row = await organization.connect(target, { token: 'user-token' });
    const old = sealedInFirstFormat('{"token":"user-token"}', key, connectionSealContext(row));
    await store.db.connection.update({ where: { id: row.id }, data: old });
    const ready = { headers: [['authorization', 'Bearer user-token']] };
    expect(await open().resolve(target, userId)).toMatchObject(ready);
    const found = await store.db.connection.findUniqueOrThrow({ where: { id: row.id } });
    expect(found.sealed[0]).toBe(2);
    expect(await open().resolve(target, userId)).toMatchObject(ready);
  });

  it('names the missing encryption key when a row was sealed with one that is not loaded', async () => {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const foreign = createVault(createKeyring([{ id: 'another', key: randomBytes(32) }]));
    await organization.connect(target, { token: 'user-token' }, foreign);
    expect(await open().resolve(target, userId)).toEqual({
      kind: 'unavailable',
      reason: 'key_not_loaded',
    });
  });

  it('is unavailable, not a matter for the user, when a row does not open', async () => {
    const credentials = open();
    const foreign = createVault(createKeyring([{ id: 'test', key: randomBytes(32) }]));
    const unavailable = { kind: 'unavailable', reason: 'decryption_failed' };
    const user = await organization.addIntegration({ authMode: 'user_token' });
    await organization.connect(user, { token: 'user-token' }, foreign);
    expect(await credentials.resolve(user, userId)).toEqual(unavailable);
    const server = await organization.addIntegration({ authMode: 'server_token' });
    await organization.setServerToken(server, 'server-token', foreign);
    expect(await credentials.resolve(server, userId)).toEqual(unavailable);
  });

  it('of a row that does not open is counted each time and logged once', async () => {
    const lines: object[] = [];
    const metrics = createMetrics();
    const onUnreadable = createUnreadableRows(
      { error: (line: object) => lines.push(line) },
      metrics,
    );
    const foreign = createVault(createKeyring([{ id: 'another', key: randomBytes(32) }]));
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' }, foreign);
    for (const _ of [1, 2]) {
      const credentials = createCredentials({
        store,
        vault,
        refresher: noRefresher,
        onUnreadable,
      });
      opened.push(credentials);
      await credentials.resolve(target, userId);
    }
    const { integrationId } = target;
    expect(lines).toEqual([
      { rowId: id, integrationId, reason: 'key_not_loaded', keyId: 'another' },
    ]);
    expect(await metrics.registry.metrics()).toContain(
      'gatehouse_unreadable_credentials_total{reason="key_not_loaded"} 2',
    );
  });

  it('never answers for an integration of another organization', async () => {
    const credentials = open();
    const other = await createTestOrganization(store);
    const target = await organization.addIntegration({ authMode: 'server_token' });
    await organization.setServerToken(target, 'server-token');
    const foreign = { ...target, organizationId: other.organizationId };
    expect(await credentials.resolve(foreign, userId)).toEqual({
      kind: 'unavailable',
      reason: 'server_token_missing',
    });
    const own = await organization.addIntegration({ authMode: 'user_token' });
    await organization.connect(own, { token: 'user-token' });
    const alien = { ...own, organizationId: other.organizationId };
    expect(await credentials.resolve(alien, userId)).toEqual({
      kind: 'needs_user',
      reason: 'connection_required',
    });
  });

  it('does not send an expired connection, not even from memory', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    const expiresAt = new Date(Date.now() + 60_000);
    await store.db.connection.update({ where: { id }, data: { expiresAt } });
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ now: expiresAt.getTime() - 1, toFake: ['Date'] });
    expect(await credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    vi.setSystemTime(expiresAt);
    await expect
      .poll(() => credentials.peek(target, userId))
      .toEqual({ kind: 'needs_user', reason: 'expired' });
  });

  it('says what OAuth lacks, and never falls back to a stored token', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'oauth' });
    await organization.setServerToken(target, 'server-token');
    await organization.connect(target, { token: 'user-token' });
    expect(await credentials.resolve(target, userId)).toEqual({
      kind: 'unavailable',
      reason: 'oauth_not_configured',
    });
    const configured = {
      ...target,
      isOauthConfigured: true,
      oauthIssuer: 'https://issuer.example',
    };
    expect(await credentials.resolve(configured, userId)).toEqual({
      kind: 'needs_user',
      reason: 'needs_reauth',
    });
  });
});

describe('the memory of resolving', () => {
  it('answers from memory after the first read', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    await organization.connect(target, { token: 'user-token' });
    expect(credentials.peek(target, userId)).toBeUndefined();
    const first = await credentials.resolve(target, userId);
    store.statements();
    expect(credentials.peek(target, userId)).toBe(first);
    expect(await credentials.resolve(target, userId)).toBe(first);
    expect(store.statements()).toEqual([]);
  });

  it('forgets when the integration or the connection changes', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    const { integrationId } = target;
    for (const change of [
      { kind: 'integration', id: integrationId },
      { kind: 'connection', id: `${integrationId}:${userId}` },
    ] as const) {
      await credentials.resolve(target, userId);
      await changed(change);
      expect(credentials.peek(target, userId)).toBeUndefined();
    }
    await store.db.connection.delete({ where: { id } });
    expect(await credentials.resolve(target, userId)).toMatchObject({ kind: 'needs_user' });
  });

  it('checks a cached row against the requested target, not against the one it was read for', async () => {
    const credentials = open();
    const target = await organization.addIntegration({ authMode: 'user_token' });
    await organization.connect(target, { token: 'user-token' });
    await credentials.resolve(target, userId);
    const moved = { ...target, url: 'https://evil.example/mcp' };
    expect(credentials.peek(moved, userId)).toEqual({ kind: 'needs_user', reason: 'needs_reauth' });
    expect(credentials.peek(target, userId)).toMatchObject({ kind: 'ready' });
  });
});

describe('a server token and the schema', () => {
  const sentWith = async (credentialSchema: unknown) => {
    const target = await organization.addIntegration({
      authMode: 'server_token',
      credentialSchema,
    });
    await organization.setServerToken(target, 'shared');
    return await open().resolve(target, userId);
  };
  const key = { type: 'string', 'x-header': 'X-Api-Key' };

  it.each([
    ['a custom header', { apiKey: key }, ['x-api-key', 'shared']],
    [
      'a prefix',
      { apiKey: { type: 'string', 'x-prefix': 'Token ' } },
      ['authorization', 'Token shared'],
    ],
    ['neither', { apiKey: { type: 'string' } }, ['authorization', 'Bearer shared']],
    [
      'another property beside it',
      { token: key, region: { type: 'string' } },
      ['x-api-key', 'shared'],
    ],
  ])('go together: %s', async (_, properties, header) => {
    expect(await sentWith({ type: 'object', properties })).toMatchObject({
      kind: 'ready',
      headers: [header],
    });
  });

  it('do not go together if the schema takes no single token: nothing is sent', async () => {
    const properties = { key, secret: { ...key, 'x-header': 'X-Secret' } };
    const misfit = { kind: 'unavailable', reason: 'server_token_misfit' };
    const required = ['key', 'secret'];
    expect(await sentWith({ type: 'object', properties, required })).toEqual(misfit);
    expect(await sentWith({ properties: { token: { type: 'string' }, key } })).toEqual(misfit);
  });
});

describe('reports', () => {
  it('mark a connection the upstream refused, and clear it at the next success', async () => {
    const credentials = open();
    const { target, id } = await connected(credentials);
    credentials.reportRejected(id);
    await credentials.flush();
    expect(await reasonOf(id)).toBe('rejected_upstream');
    expect(await credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    credentials.reportAccepted(id);
    await credentials.flush();
    expect(await reasonOf(id)).toBeNull();
  });

  it('are written without a flush', async () => {
    const credentials = open();
    const { id } = await connected(credentials);
    credentials.reportRejected(id);
    await expect.poll(() => reasonOf(id)).toBe('rejected_upstream');
  });

  it('cost nothing while upstreams accept', async () => {
    const credentials = open();
    const { id } = await connected(credentials);
    store.statements();
    credentials.reportAccepted(id);
    await credentials.flush();
    expect(store.statements()).toEqual([]);
  });

  it('write once for any number of refusals', async () => {
    const credentials = open();
    const { id } = await connected(credentials);
    for (let count = 0; count < 100; count += 1) credentials.reportRejected(id);
    await credentials.flush();
    store.statements();
    credentials.reportRejected(id);
    await credentials.flush();
    expect(store.statements()).toEqual([]);
  });

  it('the last report in a batch wins', async () => {
    const credentials = open();
    const { id } = await connected(credentials);
    credentials.reportRejected(id);
    credentials.reportAccepted(id);
    await credentials.flush();
    expect(await reasonOf(id)).toBeNull();
  });

  it('are cleared by a success on another node, which learns of the refusal', async () => {
    const [here, there] = [open(), open()];
    const { target, id } = await connected(here);
    await there.resolve(target, userId);
    here.reportRejected(id);
    await here.flush();
    expect(there.peek(target, userId)).toBeUndefined();
    await there.resolve(target, userId);
    there.reportAccepted(id);
    await there.flush();
    expect(await reasonOf(id)).toBeNull();
    await here.resolve(target, userId);
    here.reportRejected(id);
    await here.flush();
    expect(await reasonOf(id)).toBe('rejected_upstream');
  });

  it('do not touch the connection that replaced the refused one', async () => {
    const credentials = open();
    const { target, id } = await connected(credentials);
    credentials.reportRejected(id);
    await store.db.connection.delete({ where: { id } });
    const { id: replacement } = await organization.connect(target, { token: 'another' });
    await credentials.flush();
    expect(await reasonOf(replacement)).toBeNull();
  });

  it('are tried again when the database was away', async () => {
    let isAway = true;
    const errors: unknown[] = [];
    const transaction: TestStore['transaction'] = (work) =>
      isAway ? Promise.reject(new Error('away')) : store.transaction(work);
    const credentials = createCredentials({
      store: { ...store, transaction },
      vault,
      refresher: noRefresher,
      onError: (error) => errors.push(error),
    });
    opened.push(credentials);
    const { id } = await connected(credentials);
    credentials.reportRejected(id);
    await credentials.flush();
    expect(errors).toHaveLength(1);
    isAway = false;
    await credentials.flush();
    expect(await reasonOf(id)).toBe('rejected_upstream');
  });

  async function connected(credentials: ClosableCredentials) {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    const { id } = await organization.connect(target, { token: 'user-token' });
    await credentials.resolve(target, userId);
    return { target, id };
  }

  async function reasonOf(id: string) {
    return (await store.db.connection.findUniqueOrThrow({ where: { id } })).reason;
  }
});

function open(): ClosableCredentials {
  const credentials = createCredentials({ store, vault, refresher: noRefresher });
  opened.push(credentials);
  return credentials;
}

async function changed(change: { kind: 'integration' | 'connection'; id: string }): Promise<void> {
  await store.transaction(async ({ announce }) => announce(change));
}
