import type { IdentityProvider } from '@gatehouse/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  disconnect,
  disconnectEveryone,
  disconnectMember,
} from '../../../../src/credentials/disconnect.ts';
import { findLastRevocation } from '../../../../src/credentials/oauth/revocation/outbox.ts';
import { createRevoker } from '../../../../src/credentials/oauth/revocation/revoker.ts';
import type { CredentialTarget } from '../../../../src/credentials/target.ts';
import { createId } from '../../../../src/platform/ids.ts';
import { TESTER } from '../../../support/events.ts';
import { useStore } from '../../../support/store.ts';
import { createTestOrganization, type TestOrganization, vault } from '../../fixtures.ts';
import { addOauthIntegration, connectPerson, startEgress, startProvider } from '../grants.ts';

const store = useStore();
let organization: TestOrganization;
let userId: string;
beforeAll(async () => {
  organization = await createTestOrganization(store);
  userId = organization.userId;
});

/** What the service has recorded of revocations. */
async function endings({ integrationId }: CredentialTarget): Promise<string[]> {
  const where = { action: 'connection.revocation_ended', concerns: { has: integrationId } };
  const events = (await store.db.auditEvent.findMany({ where })).map(({ event }) =>
    JSON.parse(event),
  );
  for (const { actor, target } of events) {
    expect(actor).toMatchObject({ kind: 'service', via: { kind: 'job', id: 'revocation' } });
    expect(target.id).toBe(`${integrationId}:${userId}`);
  }
  return events.map(({ details }) => details.status);
}

describe('disconnecting', () => {
  it('deletes the connection first, and revokes both tokens after the commit', async () => {
    const { provider, target, tokens } = await connected();
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    expect(await connections(target)).toBe(0);
    expect(provider.requests('revocation')).toEqual([]);
    expect(await last(target)).toMatchObject({ status: 'pending' });
    await startRevoker().run();
    expect(await last(target)).toMatchObject({ status: 'revoked' });
    expect(provider.verify(tokens.accessToken)).toBeUndefined();
    expect(provider.requests('revocation').map(({ form }) => form?.get('token_type_hint'))).toEqual(
      ['refresh_token', 'access_token'],
    );
    const [row] = await rows(target);
    expect(row).toMatchObject({ sealed: null, keyId: null, nextAttemptAt: null });
    expect(await endings(target)).toEqual(['revoked']);
  });

  it('by itself begins the revocation soon', async () => {
    const { provider, target } = await connected();
    startRevoker();
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    await expect.poll(() => provider.counts.revocations).toBeGreaterThan(0);
    await expect.poll(() => last(target)).toMatchObject({ status: 'revoked' });
  });

  it('everyone, as deleting the OAuth configuration does, revokes the tokens of each', async () => {
    const { provider, target } = await connected();
    const another = await addMember();
    await connectPerson(store, provider, target, another);
    await store.db.integrationSecret.deleteMany({ where: { integrationId: target.integrationId } });
    await store.transaction((tx) => disconnectEveryone(tx, target.integrationId));
    await startRevoker().run();
    expect(await connections(target)).toBe(0);
    expect(provider.grants.every(({ endedBecause }) => endedBecause === 'revoked')).toBe(true);
  });

  it('a member who is removed revokes the tokens of all that member had connected', async () => {
    const { provider, target } = await connected();
    const another = await addMember();
    await connectPerson(store, provider, target, another);
    await store.transaction(async (tx) => {
      await disconnectMember(tx, another);
      await tx.db.user.delete({ where: { id: another } });
    });
    await startRevoker().run();
    expect(await connections(target)).toBe(1);
    expect(provider.grants.map(({ endedBecause }) => endedBecause)).toEqual([undefined, 'revoked']);
  });
});

describe('a revocation', () => {
  it('that fails is tried five times within about an hour, and then given up', async () => {
    const { provider, target } = await connected();
    provider.fault('revocation', { kind: 'status', status: 503 });
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    const revoker = startRevoker();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await revoker.run();
      const [row] = await rows(target);
      expect(row).toMatchObject({ status: 'pending', attempts: attempt });
      pauses.push(Math.round((Number(row?.nextAttemptAt) - Date.now()) / 60_000));
      await dueNow(target);
    }
    await revoker.run();
    expect(pauses).toEqual([1, 5, 15, 39]);
    expect(await last(target)).toMatchObject({ status: 'failed' });
    expect(await endings(target)).toEqual(['failed']);
    expect((await rows(target))[0]).toMatchObject({ sealed: null, attempts: 5 });
  });

  it('is given up without a request if its last attempt ended with the process', async () => {
    const { provider, target } = await connected();
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    const { integrationId } = target;
    await store.db.upstreamRevocation.updateMany({
      where: { integrationId },
      data: { attempts: 5 },
    });
    await startRevoker().run();
    expect(await last(target)).toMatchObject({ status: 'failed' });
    expect((await rows(target))[0]).toMatchObject({ sealed: null });
    expect(provider.requests('revocation')).toEqual([]);
  });

  it('revokes the second token even if the first fails', async () => {
    const { provider, target } = await connected();
    provider.fault('revocation', { kind: 'status', status: 503 }, { times: 1 });
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    await startRevoker().run();
    const hints = provider.requests('revocation').map(({ form }) => form?.get('token_type_hint'));
    expect(hints).toEqual(['refresh_token', 'access_token']);
    expect(await last(target)).toMatchObject({ status: 'pending' });
  });

  it('is made by one of several nodes', async () => {
    const { provider, target } = await connected();
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    await Promise.all([startRevoker(), startRevoker(), startRevoker()].map((one) => one.run()));
    expect(provider.requests('revocation')).toHaveLength(2);
  });

  it('is not held up by a provider that answers slowly', async () => {
    const slow = await connected();
    const held = slow.provider.fault('revocation', { kind: 'hold' });
    startRevoker();
    await disconnectTester(slow.target);
    await held.reached(1);
    const other = await connected();
    await disconnectTester(other.target);
    await expect
      .poll(() => last(other.target), { timeout: 5_000 })
      .toMatchObject({
        status: 'revoked',
      });
    expect(await last(slow.target)).toMatchObject({ status: 'pending' });
    held.release();
    await expect.poll(() => last(slow.target)).toMatchObject({ status: 'revoked' });
  });

  it('that has begun is recorded before a process closes', async () => {
    const { provider, target } = await connected();
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    const held = provider.fault('revocation', { kind: 'hold', handleFirst: true });
    const revoker = startRevoker();
    const run = revoker.run();
    await held.reached(1);
    const closed = revoker.close();
    held.release();
    await closed;
    expect(await last(target)).toMatchObject({ status: 'revoked' });
    await run;
  });

  it('is shown only to its person', async () => {
    const { target } = await connected();
    const { integrationId } = target;
    const another = await addMember();
    await store.transaction((tx) => disconnect(tx, { integrationId, userId }, TESTER));
    expect(await last(target)).toMatchObject({ status: 'pending' });
    expect(await findLastRevocation(store.db, integrationId, another)).toBeUndefined();
  });

  it('that a provider does not offer says so', async () => {
    const { target } = await connected({ revocation: false });
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    await startRevoker().run();
    expect(await last(target)).toMatchObject({ status: 'not_supported' });
  });

  it('of a token entered by hand does not exist', async () => {
    const target = await organization.addIntegration({ authMode: 'user_token' });
    await organization.connect(target, { token: 'entered-by-hand' });
    await store.transaction((tx) =>
      disconnect(tx, { integrationId: target.integrationId, userId }, TESTER),
    );
    expect(await rows(target)).toEqual([]);
  });
});

async function connected(options: Parameters<typeof startProvider>[0] = {}) {
  const provider: IdentityProvider = await startProvider(options);
  const target = await addOauthIntegration(store, organization, provider);
  return { provider, target, tokens: await connectPerson(store, provider, target, userId) };
}

function startRevoker() {
  const revoker = createRevoker({
    store,
    vault,
    egress: startEgress(),
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => revoker.close());
  return revoker;
}

async function addMember(): Promise<string> {
  const { organizationId } = organization;
  const { id, createdAt } = createId();
  const email = `${id}@example.com`;
  await store.db.user.create({
    data: { id, createdAt, organizationId, email, name: 'Another', role: 'member' },
  });
  return id;
}

const disconnectTester = ({ integrationId }: CredentialTarget) =>
  store.transaction((tx) => disconnect(tx, { integrationId, userId }, TESTER));

const last = ({ integrationId }: CredentialTarget) =>
  findLastRevocation(store.db, integrationId, userId);

const rows = ({ integrationId }: CredentialTarget) =>
  store.db.upstreamRevocation.findMany({ where: { integrationId } });

const connections = ({ integrationId }: CredentialTarget) =>
  store.db.connection.count({ where: { integrationId } });

const dueNow = ({ integrationId }: CredentialTarget) =>
  store.db.upstreamRevocation.updateMany({
    where: { integrationId },
    data: { nextAttemptAt: new Date(Date.now() - 1000) },
  });
