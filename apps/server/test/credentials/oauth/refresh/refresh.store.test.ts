import { setTimeout as delay } from 'node:timers/promises';
import type { IdentityProvider } from '@gatehouse/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findLastRevocation } from '../../../../src/credentials/oauth/revocation/outbox.ts';
import { createRevoker } from '../../../../src/credentials/oauth/revocation/revoker.ts';
import type { CredentialTarget } from '../../../../src/credentials/target.ts';
import { useStore } from '../../../support/store.ts';
import { createTestOrganization, type TestOrganization, vault } from '../../fixtures.ts';
import {
  addOauthIntegration,
  ageTokens,
  connectPerson,
  startEgress,
  startNode,
  startProvider,
} from '../grants.ts';

const store = useStore();
let organization: TestOrganization;
let userId: string;
beforeAll(async () => {
  organization = await createTestOrganization(store);
  userId = organization.userId;
});

describe('an access token', () => {
  it('is sent as it is while it is good, without a statement', async () => {
    const { target, accessToken, node } = await connected();
    await node.credentials.resolve(target, userId);
    store.statements();
    expect(node.credentials.peek(target, userId)).toMatchObject(sends(accessToken));
    expect(store.statements()).toEqual([]);
    expect(node.outcomes).toEqual([]);
  });

  it('is replaced before it expires, while calls go on with it', async () => {
    const { provider, target, accessToken, node } = await connected();
    const held = provider.fault('token', { kind: 'hold' });
    await age(target, 3_570_000);
    expect(node.credentials.peek(target, userId)).toBeUndefined();
    expect(await node.credentials.resolve(target, userId)).toMatchObject(sends(accessToken));
    await held.reached(1);
    expect(await node.credentials.resolve(target, userId)).toMatchObject(sends(accessToken));
    held.release();
    await expect.poll(() => node.outcomes).toEqual(['refreshed']);
    const renewed = await node.credentials.resolve(target, userId);
    expect(renewed).not.toMatchObject(sends(accessToken));
    expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 0 });
  });

  it('that has expired is replaced by one refresh, for which every call waits', async () => {
    const { provider, target, accessToken, node } = await connected();
    await age(target, 3_601_000);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => node.credentials.resolve(target, userId)),
    );
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ kind: 'ready', source: 'connection' });
    expect(outcomes[0]).not.toMatchObject(sends(accessToken));
    expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 0, grantsEnded: 0 });
  });

  it('is refreshed once by many nodes, which all get the new one', async () => {
    const { provider, target } = await connected();
    const nodes = await Promise.all(
      Array.from({ length: 3 }, async () => startNode(await anotherStore())),
    );
    await age(target, 3_601_000);
    const outcomes = await Promise.all(
      nodes.flatMap(({ credentials }) =>
        Array.from({ length: 5 }, () => credentials.resolve(target, userId)),
      ),
    );
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ kind: 'ready' });
    expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 0 });
  });

  it('without a refresh token is used until it expires', async () => {
    const { target, accessToken, node } = await connected({ refreshTokens: 'never' });
    expect(await node.credentials.resolve(target, userId)).toMatchObject(sends(accessToken));
    const expiresAt = new Date(Date.now() - 1000);
    await store.db.connection.updateMany({
      where: { integrationId: target.integrationId },
      data: { expiresAt },
    });
    await changed(target);
    expect(await node.credentials.resolve(target, userId)).toEqual({
      kind: 'needs_user',
      reason: 'expired',
    });
  });
});

describe('a refresh that fails', () => {
  it('for a transient reason delays the next one, and leaves the token in use until it expires', async () => {
    const { provider, target, accessToken, node } = await connected();
    provider.fault('token', { kind: 'status', status: 503 });
    await age(target, 3_570_000);
    expect(await node.credentials.resolve(target, userId)).toMatchObject(sends(accessToken));
    await expect.poll(() => node.outcomes).toEqual(['transient']);
    await expect.poll(async () => (await row(target)).failedRefreshes).toBe(1);
    expect(await node.credentials.resolve(target, userId)).toMatchObject(sends(accessToken));
    expect(provider.requests('token')).toHaveLength(1);
    await age(target, 31_000);
    expect(await node.credentials.resolve(target, userId)).toEqual({
      kind: 'unavailable',
      reason: 'refresh_failed',
    });
    provider.clearFaults();
    await retryNow(target);
    expect(await node.credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    expect(await row(target)).toMatchObject({
      failedRefreshes: 0,
      refreshFailure: null,
      retryAt: null,
    });
  });

  it.each([
    ['an HTML page', { kind: 'html' }],
    ['a cut connection', { kind: 'cut' }],
    ['malformed JSON with status 500', { kind: 'status', status: 500 }],
  ] as const)('with %s loses nothing', async (_name, fault) => {
    const { provider, target, node, refreshToken } = await connected();
    provider.fault('token', fault, { times: 1 });
    await age(target, 3_601_000);
    expect(await node.credentials.resolve(target, userId)).toMatchObject({
      reason: 'refresh_failed',
    });
    await retryNow(target);
    expect(await node.credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    expect(refreshToken).toBeDefined();
    expect(provider.counts).toMatchObject({ refreshes: 1, grantsEnded: 0 });
  });

  it('for a transient reason is repeated less and less often, within five minutes whatever the provider asks', async () => {
    const { provider, target, node, connectionId } = await connected();
    await age(target, 3_601_000);
    const waitAfter = async (fault: { readonly retryAfterSeconds?: number }) => {
      const active = provider.fault('token', { kind: 'status', status: 503, ...fault });
      await retryNow(target);
      await node.refresher.refresh({ connectionId, tokenVersion: 0 });
      active.clear();
      return Number((await row(target)).retryAt) - Date.now();
    };
    const waits: number[] = [];
    for (let failures = 0; failures < 5; failures += 1) waits.push(await waitAfter({}));
    expect(waits[0]).toBeLessThan(2_000);
    expect(waits[4]).toBeGreaterThan(4_000);
    const longest = await waitAfter({ retryAfterSeconds: 86_400 });
    expect(longest).toBeGreaterThan(4 * 60_000);
    expect(longest).toBeLessThan(6 * 60_000);
  });

  it('because the grant has ended says so, keeps the row, and asks the provider no more', async () => {
    const { provider, target, node, connectionId } = await connected();
    provider.endGrant();
    await age(target, 3_601_000);
    const ended = { kind: 'needs_user', reason: 'needs_reauth' };
    expect(await node.credentials.resolve(target, userId)).toEqual(ended);
    expect(await node.credentials.resolve(target, userId)).toEqual(ended);
    expect(await row(target)).toMatchObject({
      id: connectionId,
      reason: 'needs_reauth',
      refreshedAt: null,
    });
    expect(provider.requests('token')).toHaveLength(1);
  });

  it('because the client is refused is a fault of the configuration, and ends nothing', async () => {
    const { provider, target, node } = await connected();
    provider.fault('token', { kind: 'oauth-error', error: 'invalid_client', status: 401 });
    await age(target, 3_601_000);
    expect(await node.credentials.resolve(target, userId)).toEqual({
      kind: 'unavailable',
      reason: 'client_rejected',
    });
    expect(await row(target)).toMatchObject({ reason: null, refreshFailure: 'misconfigured' });
    provider.clearFaults();
    await retryNow(target);
    expect(await node.credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
  });

  it('because the provider forgot our registered client needs the person, and a new registration', async () => {
    const provider = await startProvider();
    const target = await addOauthIntegration(store, organization, provider, {
      clientId: undefined,
    });
    await connectPerson(store, provider, target, userId);
    const [registration] = await store.db.upstreamRegistration.findMany();
    provider.forgetClient(registration?.clientId ?? '');
    await age(target, 3_601_000);
    const { credentials } = startNode(store);
    expect(await credentials.resolve(target, userId)).toMatchObject({ reason: 'needs_reauth' });
    expect(await store.db.upstreamRegistration.count()).toBe(0);
  });
});

describe('after the upstream has rejected a token', () => {
  it('one refresh gets a new one for many calls, unless the token is quite new', async () => {
    const { provider, target, node, accessToken } = await connected();
    await age(target, 60_000);
    const rejected = await ready(node, target);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => node.credentials.renew(target, userId, rejected)),
    );
    expect(again[0]).toMatchObject({ kind: 'ready' });
    expect(again[0]).not.toMatchObject(sends(accessToken));
    for (const outcome of again) expect(outcome).toEqual(again[0]);
    expect(provider.counts.refreshes).toBe(1);
  });

  it('a refresh gets a new one also if it has expired on the way', async () => {
    const { provider, target, node } = await connected();
    const rejected = await ready(node, target);
    await age(target, 3_601_000);
    expect(await node.credentials.renew(target, userId, rejected)).toMatchObject({ kind: 'ready' });
    expect(provider.counts.refreshes).toBe(1);
  });

  it('no refresh follows if it was obtained just now: it was rejected for another reason', async () => {
    const { provider, target, node } = await connected();
    expect(await node.credentials.renew(target, userId, await ready(node, target))).toBeUndefined();
    expect(provider.requests('token')).toEqual([]);
  });

  it('a token that another node has obtained meanwhile is used', async () => {
    const { provider, target, node } = await connected();
    await age(target, 60_000);
    const rejected = await ready(node, target);
    const other = startNode(await anotherStore());
    const theirs = await other.credentials.renew(target, userId, rejected);
    expect(await node.credentials.renew(target, userId, rejected)).toEqual(theirs);
    expect(provider.counts.refreshes).toBe(1);
  });
});

describe('nothing is sent', () => {
  it('for a connection to an integration that now has another issuer or client', async () => {
    const { provider, target, node } = await connected();
    await age(target, 3_601_000);
    for (const oauth of [
      { issuer: `${provider.url}/another`, clientId: 'gatehouse', scopes: [] },
      { issuer: provider.issuer, clientId: 'another', scopes: [] },
    ]) {
      await store.db.integration.update({ where: { id: target.integrationId }, data: { oauth } });
      const { connectionId } = await tokensOf(target);
      await node.refresher.refresh({ connectionId, tokenVersion: 0 });
      const moved = { ...target, oauthIssuer: oauth.issuer, oauthClientId: oauth.clientId };
      expect(await node.credentials.resolve(moved, userId)).toMatchObject({
        reason: 'needs_reauth',
      });
    }
    expect(provider.requests('token')).toEqual([]);
  });

  it('by a process that lost its lease before it could send: another one has refreshed since', async () => {
    const { provider, target, node, connectionId } = await connected();
    await age(target, 3_601_000);
    await store.db.$executeRaw`
      UPDATE "Connection" SET "leaseOwner" = gen_random_uuid(), "leaseUntil" = now() + interval '300 milliseconds'
      WHERE "id" = ${connectionId}::uuid`;
    const begun = performance.now();
    expect(await node.credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    expect(performance.now() - begun).toBeGreaterThan(200);
    expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 0 });
  });
});

it('a refresh is not over before the new tokens are stored', async () => {
  const { target, connectionId } = await connected();
  await age(target, 3_601_000);
  let storing = () => {};
  let proceed = () => {};
  const begun = new Promise<void>((resolve) => {
    storing = resolve;
  });
  const proceeding = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const transaction: typeof store.transaction = async (work) => {
    storing();
    await proceeding;
    return store.transaction(work);
  };
  const node = startNode({ ...store, transaction });
  const over: string[] = [];
  const refreshed = node.refresher
    .refresh({ connectionId, tokenVersion: 0 })
    .then(() => over.push('over'));
  await begun;
  await delay(20);
  expect(over).toEqual([]);
  proceed();
  await refreshed;
  expect(await row(target)).toMatchObject({ tokenVersion: 1 });
});

it('a process that closes waits until the new tokens are stored', async () => {
  const { provider, target, node, connectionId } = await connected();
  await age(target, 3_601_000);
  const held = provider.fault('token', { kind: 'hold', handleFirst: true });
  const refreshed = node.refresher.refresh({ connectionId, tokenVersion: 0 });
  await held.reached(1);
  const closed = node.refresher.close();
  held.release();
  await closed;
  expect(await row(target)).toMatchObject({ tokenVersion: 1 });
  await refreshed;
});

it('a refresh token that the provider keeps goes on being used', async () => {
  const { provider, target, node } = await connected({ rotation: false });
  for (const refreshes of [1, 2]) {
    await age(target, 3_601_000);
    expect(await node.credentials.resolve(target, userId)).toMatchObject({ kind: 'ready' });
    expect(provider.counts.refreshes).toBe(refreshes);
  }
});

it('a refresh stores no token of a connection that was deleted meanwhile, and has it revoked', async () => {
  const { provider, target, node, connectionId } = await connected();
  const revoker = createRevoker({ store, vault, egress: startEgress(), onError: () => {} });
  onTestFinished(() => revoker.close());
  await age(target, 3_601_000);
  const held = provider.fault('token', { kind: 'hold' });
  const refreshed = node.refresher.refresh({ connectionId, tokenVersion: 0 });
  await held.reached(1);
  await store.db.connection.deleteMany({ where: { id: connectionId } });
  held.release();
  await refreshed;
  expect(await store.db.connection.count({ where: { integrationId: target.integrationId } })).toBe(
    0,
  );
  // The outbox is polled every 30 s, so it heard of them.
  const statusOf = async () =>
    (await findLastRevocation(store.db, target.integrationId, userId))?.status;
  await expect.poll(statusOf, { timeout: 5_000 }).toBe('revoked');
});

it('a refresh keeps new tokens that the database cannot store at once', async () => {
  const { provider, target, connectionId } = await connected();
  await age(target, 3_601_000);
  let failures = 2;
  const transaction: typeof store.transaction = (work) => {
    failures -= 1;
    return failures >= 0
      ? Promise.reject(new Error('The database is away.'))
      : store.transaction(work);
  };
  const node = startNode({ ...store, transaction });
  await node.refresher.refresh({ connectionId, tokenVersion: 0 });
  expect(node.errors).toHaveLength(2);
  expect(await row(target)).toMatchObject({ tokenVersion: 1 });
  await delay(0);
  expect(provider.counts).toMatchObject({ refreshes: 1, grantsEnded: 0 });
});

type Connected = Awaited<ReturnType<typeof connected>>;

async function connected(options: Parameters<typeof startProvider>[0] = {}) {
  const provider: IdentityProvider = await startProvider(options);
  const target = await addOauthIntegration(store, organization, provider);
  const person = await connectPerson(store, provider, target, userId);
  return { provider, target, node: startNode(store), ...person };
}

async function ready({ credentials }: Connected['node'], target: CredentialTarget) {
  const outcome = await credentials.resolve(target, userId);
  if (outcome.kind !== 'ready') throw new Error(`There is no credential: ${outcome.reason}.`);
  return outcome;
}

/** The embedded database has one node: there, two sets of parts that share nothing stand for two nodes. */
async function anotherStore() {
  return store.kind === 'postgresql' ? store.openAnotherNode() : store;
}

const sends = (token: string) => ({
  kind: 'ready',
  headers: [['authorization', `Bearer ${token}`]],
});

const age = (target: CredentialTarget, milliseconds: number) =>
  ageTokens(store, target, milliseconds);

const row = ({ integrationId }: CredentialTarget) =>
  store.db.connection.findFirstOrThrow({ where: { integrationId } });

const tokensOf = async (target: CredentialTarget) => ({ connectionId: (await row(target)).id });

const changed = ({ integrationId }: CredentialTarget) =>
  store.transaction(async (tx) =>
    tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` }),
  );

async function retryNow(target: CredentialTarget) {
  await store.db.connection.updateMany({
    where: { integrationId: target.integrationId },
    data: { retryAt: null },
  });
  await changed(target);
}
