import { findFreePort } from '@gatehouse/harness';
import { startUpstream, type UpstreamOptions } from '@gatehouse/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/credentials/credentials.ts';
import { createProber, type Prober } from '../../../src/credentials/probe/prober.ts';
import type { CredentialTarget } from '../../../src/credentials/target.ts';
import type { Prisma } from '../../../src/generated/prisma/client.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { startRevalidations } from '../../../src/resources/integrations/revalidation/revalidations.ts';
import { pauseAfter } from '../../../src/resources/integrations/revalidation/schedule.ts';
import {
  createTestOrganization,
  type TestOrganization,
  vault,
} from '../../credentials/fixtures.ts';
import { noRefresher } from '../../credentials/no-refresher.ts';
import { noEras, PATIENT } from '../../credentials/probe/support.ts';
import { openEgress } from '../../egress/support.ts';
import { useStore } from '../../support/store.ts';

const TOKEN = 'server-token-of-this-test';
const MINUTE = 60_000;

const store = useStore();
const closers: (() => Promise<unknown>)[] = [];
let organization: TestOrganization;
let errors: unknown[] = [];

beforeEach(async () => {
  await store.db.integration.deleteMany();
  await store.db.user.deleteMany();
  organization = await createTestOrganization(store);
  errors = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  expect(errors).toEqual([]);
});

function openProber(): Prober {
  const credentials = createCredentials({ store, vault, refresher: noRefresher });
  closers.push(() => credentials.close());
  const publicUrl = 'https://gatehouse.example.com';
  return createProber({
    credentials,
    egress: openEgress(),
    publicUrl,
    timeouts: PATIENT,
    eras: noEras,
    noteLists: () => Promise.resolve(),
  });
}

function revalidations(prober: Pick<Prober, 'probeForNobody'> = openProber(), node: Store = store) {
  const onError = (error: unknown) => errors.push(error);
  const started = startRevalidations({ store: node, prober, onError });
  closers.push(() => started.close());
  return started;
}

async function upstream(options: UpstreamOptions = {}): Promise<string> {
  const { url, close } = await startUpstream(options);
  closers.push(close);
  return url;
}

const deadUrl = async () => `http://127.0.0.1:${await findFreePort()}/mcp`;

/** An integration that is due, unless told otherwise. */
async function add(
  target: Partial<CredentialTarget>,
  data: Prisma.IntegrationUpdateInput = {},
): Promise<CredentialTarget> {
  const added = await organization.addIntegration(target);
  const due = { validateEveryMinutes: 10, nextValidationAt: new Date(Date.now() - MINUTE) };
  await store.db.integration.update({
    where: { id: added.integrationId },
    data: { ...due, ...data },
  });
  return added;
}

const read = ({ integrationId }: CredentialTarget) =>
  store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });

/** Minutes from now to the next validation. */
const nextIn = ({ nextValidationAt }: { nextValidationAt: Date | null }) =>
  Math.round(((nextValidationAt?.getTime() ?? 0) - Date.now()) / MINUTE);

describe('an integration is validated by the service', () => {
  it('with the server token, when it is due', async () => {
    const url = await upstream({ requireBearer: TOKEN });
    const good = await add({ url, authMode: 'server_token' });
    await organization.setServerToken(good, TOKEN);
    const bad = await add({ url, authMode: 'server_token' });
    await organization.setServerToken(bad, 'wrong');
    await revalidations().run();
    expect(await read(good)).toMatchObject({
      validationStatus: 'valid',
      validationMessage: 'The server was reached over MCP and accepted the server token.',
      lastValidatedAt: expect.any(Date),
      failedValidations: 0,
    });
    expect(await read(bad)).toMatchObject({ validationStatus: 'invalid', failedValidations: 1 });
    expect([nextIn(await read(good)), nextIn(await read(bad))]).toEqual([10, 20]);
  });

  it('not before, not without an interval, and not while it is archived', async () => {
    const url = await deadUrl();
    const later = await add({ url }, { nextValidationAt: new Date(Date.now() + 5 * MINUTE) });
    const off = await add({ url }, { validateEveryMinutes: null, nextValidationAt: null });
    const archived = await add({ url }, { archivedAt: new Date() });
    const prober = { probeForNobody: () => Promise.reject(new Error('Nothing is to be probed.')) };
    await revalidations(prober).run();
    for (const target of [later, off, archived]) {
      expect(await read(target)).toMatchObject({
        validationStatus: 'pending',
        lastValidatedAt: null,
      });
    }
    expect(nextIn(await read(archived))).toBe(10);
  });

  it('which notes when the certificate expires, and keeps that where it sees no other', async () => {
    const target = await add({});
    const expiries = ['2027-01-02T03:04:05.000Z', undefined, '2027-04-02T03:04:05.000Z'];
    const seen: (Date | null)[] = [];
    for (const certificateExpiresAt of expiries) {
      const tls = { stage: 'tls', status: 'passed', milliseconds: 1 } as const;
      const stages = [{ ...tls, ...(certificateExpiresAt && { certificateExpiresAt }) }];
      const result = { status: 'valid', message: 'Fine.', stages } as const;
      await revalidations({ probeForNobody: async () => result }).run();
      seen.push((await read(target)).certificateExpiresAt);
      const nextValidationAt = new Date(Date.now() - MINUTE);
      const where = { id: target.integrationId };
      await store.db.integration.update({ where, data: { nextValidationAt } });
    }
    expect(seen.map((at) => at?.toISOString())).toEqual([expiries[0], expiries[0], expiries[2]]);
  });

  it('by one node of several', async () => {
    const targets = await Promise.all(Array.from({ length: 30 }, () => add({})));
    const tried: string[] = [];
    const prober: Pick<Prober, 'probeForNobody'> = {
      async probeForNobody({ integrationId }) {
        tried.push(integrationId);
        return { status: 'valid', message: 'Fine.', stages: [] };
      },
    };
    // An embedded store has one node, in which the jobs at least overlap.
    const other = store.kind === 'postgresql' ? await store.openAnotherNode() : store;
    const nodes = [store, other, other].map((node) => revalidations(prober, node));
    await Promise.all(nodes.map((node) => node.run()));
    expect(tried.sort()).toEqual(targets.map(({ integrationId }) => integrationId).sort());
  });

  it('less and less often while it fails, and as before once it succeeds', async () => {
    const target = await add({ url: await deadUrl() });
    const service = revalidations();
    const pauses: number[] = [];
    for (let failures = 0; failures < 3; failures += 1) {
      await service.run();
      pauses.push(nextIn(await read(target)));
      await makeDue(target);
    }
    expect(pauses).toEqual([20, 40, 80]);
    const where = { id: target.integrationId };
    await store.db.integration.update({ where, data: { url: await upstream() } });
    await service.run();
    expect(await read(target)).toMatchObject({ validationStatus: 'valid', failedValidations: 0 });
    expect(nextIn(await read(target))).toBe(10);
  });

  it('with an event each time that the status changes, and only then', async () => {
    const target = await add({});
    const { id } = await read(target);
    const found = ['valid', 'valid', 'invalid', 'invalid', 'valid'] as const;
    for (const status of found) {
      const result = { status, message: `Is ${status}.`, stages: [] };
      await revalidations({ probeForNobody: async () => result }).run();
      await makeDue(target);
    }
    const where = { concerns: { has: id } };
    const rows = await store.db.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
    const events = rows.map(({ event }) => JSON.parse(event));
    expect(events.map(({ details }) => details.status)).toEqual(['valid', 'invalid', 'valid']);
    for (const event of events) {
      const via = { kind: 'job', id: 'validation' };
      const actor = { kind: 'service', id: null, name: null, via };
      expect(event).toMatchObject({ action: 'integration.validated', actor, target: { id } });
    }
  });

  it('once a day at least, or as often as it says', () => {
    expect(pauseAfter(100, 5)).toBe(24 * 60);
    expect(pauseAfter(3, 7 * 24 * 60)).toBe(7 * 24 * 60);
  });

  it('without overwriting a configuration or an interval that was changed meanwhile', async () => {
    const changes: Prisma.IntegrationUpdateInput[] = [
      { validationEpoch: { increment: 1 } },
      { validateEveryMinutes: null, nextValidationAt: null },
      { archivedAt: new Date() },
    ];
    for (const change of changes) {
      const target = await add({});
      const service = revalidations({
        async probeForNobody({ integrationId }) {
          await store.db.integration.update({ where: { id: integrationId }, data: change });
          return { status: 'invalid', message: 'Broken.', stages: [] };
        },
      });
      await service.run();
      expect(await read(target)).toMatchObject({
        ...{ validationStatus: 'pending', validationMessage: null, failedValidations: 0 },
      });
    }
  });

  it('and not by a service that is closing', async () => {
    const target = await add({});
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const service = revalidations({
      probeForNobody: () => {
        begun();
        return new Promise(() => undefined);
      },
    });
    const running = service.run();
    await hasBegun;
    await service.close();
    await running;
    expect(await read(target)).toMatchObject({ validationStatus: 'pending' });
    expect(nextIn(await read(target))).toBe(10);
  });
});

describe.each(['user_token', 'oauth'] as const)('in mode %s the service', (authMode) => {
  it('uses nobody’s connection, and leaves the status as it is', async () => {
    const started = await startUpstream({ requireBearer: TOKEN });
    closers.push(started.close);
    const target = await add(
      { url: started.url, authMode },
      { validationStatus: 'valid', validationMessage: 'As it was.' },
    );
    if (authMode === 'user_token') await organization.connect(target, { token: TOKEN });
    await revalidations().run();
    expect(await read(target)).toMatchObject({
      ...{ validationStatus: 'valid', validationMessage: 'As it was.', lastValidatedAt: null },
      failedValidations: 0,
    });
    expect(started.requests.length).toBeGreaterThan(0);
    expect(started.requests.some(({ headers }) => headers.authorization)).toBe(false);
  });

  it('finds invalid what cannot be reached, until it is back', async () => {
    const target = await add({ url: await deadUrl(), authMode }, { validationStatus: 'valid' });
    const service = revalidations();
    await service.run();
    expect(await read(target)).toMatchObject({
      validationStatus: 'invalid',
      validationMessage: expect.stringContaining('refuses connections'),
      failedValidations: 1,
    });
    const where = { id: target.integrationId };
    await store.db.integration.update({ where, data: { url: await upstream() } });
    await makeDue(target);
    await service.run();
    expect(await read(target)).toMatchObject({
      validationStatus: 'pending',
      validationMessage: expect.stringContaining('reached again'),
      failedValidations: 0,
    });
  });

  it('leaves alone what a person has found invalid', async () => {
    const target = await add(
      { url: await upstream(), authMode },
      { validationStatus: 'invalid', validationMessage: 'Refused.' },
    );
    await revalidations().run();
    expect(await read(target)).toMatchObject({
      ...{ validationStatus: 'invalid', validationMessage: 'Refused.' },
    });
  });
});

async function makeDue({ integrationId: id }: CredentialTarget): Promise<void> {
  const nextValidationAt = new Date(Date.now() - MINUTE);
  await store.db.integration.update({ where: { id }, data: { nextValidationAt } });
}
