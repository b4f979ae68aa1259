import { randomUUID } from 'node:crypto';
import { usageStepOf } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { useStore } from '../support/store.ts';
import { callOf, countAll, openCounters, read } from './fixture.ts';

const store = useStore();

/** A client that runs a statement and then throws this, or throws it before. */
function failing(error: Error, isRun: boolean) {
  const left = [error];
  return new Proxy(store.db, {
    get(db, name, receiver) {
      const value = Reflect.get(db, name, receiver);
      if (name !== '$executeRaw') return value;
      return async (...args: unknown[]) => {
        const thrown = left.shift();
        if (thrown !== undefined && !isRun) throw thrown;
        const result = await Reflect.apply(value, db, args);
        if (thrown !== undefined) throw thrown;
        return result;
      };
    },
  });
}

describe('calls are counted', () => {
  it('in their minute and hour, with bytes, latency and the last error', async () => {
    const call = callOf();
    const failed = { ...call, outcome: 'upstream_error', ms: 3_000 } as const;
    await countAll(store.db, [call, call, failed, { ...call, outcome: 'refused', tools: [''] }]);
    for (const step of ['minute', 'hour'] as const) {
      expect(await read(store.db, call.organizationId, { step })).toEqual([
        {
          key: null,
          at: new Date(usageStepOf(step, call.endedAt)),
          ...{ calls: 4, refusals: 1, errors: 0, upstreamErrors: 1 },
          ...{ bytesIn: 400, bytesOut: 4_000 },
          latency: [0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0],
          lastErrorAt: new Date(call.endedAt),
        },
      ]);
    }
  });

  it('each message of a batch, but bytes and latency once', async () => {
    const call = { ...callOf(), tools: ['one', 'two', 'two', ''] };
    await countAll(store.db, [call]);
    const sums = { bytesIn: 100, latency: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] };
    expect(await read(store.db, call.organizationId)).toMatchObject([{ calls: 4, ...sums }]);
    expect(await read(store.db, call.organizationId, { step: 'minute' })).toMatchObject([
      { calls: 4, ...sums },
    ]);
    expect(await read(store.db, call.organizationId, { groupBy: 'tool' })).toMatchObject([
      { key: 'two', calls: 2, bytesIn: 0 },
      { key: 'one', calls: 1, bytesIn: 100 },
    ]);
  });

  it('by application, integration, tool and person, the largest first', async () => {
    const call = callOf();
    const { organizationId, applicationId, integrationId, subjectId } = call;
    const other = {
      ...call,
      applicationId: randomUUID(),
      integrationId: randomUUID(),
      subjectId: randomUUID(),
      tools: ['other'],
    };
    await countAll(store.db, [call, other, other]);
    const keys = async (fields: Parameters<typeof read>[2]) =>
      (await read(store.db, organizationId, fields)).map(({ key, calls }) => [key, calls]);
    const series = {
      application: [other.applicationId, applicationId],
      integration: [other.integrationId, integrationId],
      tool: ['other', 'echo'],
      person: [other.subjectId, subjectId],
    };
    for (const groupBy of ['application', 'integration', 'tool', 'person'] as const) {
      const [larger, smaller] = series[groupBy];
      expect(await keys({ groupBy })).toEqual([
        [larger, 2],
        [smaller, 1],
      ]);
      const own = [[smaller, 1]];
      expect(await keys({ groupBy, userId: subjectId })).toEqual(own);
      expect(await keys({ groupBy, applicationIds: [applicationId] })).toEqual(own);
      expect(await keys({ groupBy, integrationIds: [integrationId] })).toEqual(own);
      expect(await keys({ groupBy, integrationIds: [randomUUID()] })).toEqual([]);
    }
  });

  it('for each organization by itself', async () => {
    const [one, other] = [callOf(), callOf()];
    await countAll(store.db, [one, other]);
    expect(await read(store.db, one.organizationId)).toMatchObject([{ calls: 1 }]);
    const stranger = { groupBy: 'application', applicationIds: [one.applicationId] } as const;
    expect(await read(store.db, other.organizationId, stranger)).toEqual([]);
  });

  it('by two nodes at once in the same rows', async () => {
    const call = callOf();
    const nodes = [openCounters(store.db), openCounters(store.db)];
    for (let turn = 0; turn < 10; turn += 1) {
      for (const { count } of nodes) for (let n = 0; n < 5; n += 1) count(call);
      await Promise.all(nodes.map(({ flush }) => flush()));
    }
    await Promise.all(nodes.map(({ close }) => close()));
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
    expect(await read(store.db, call.organizationId)).toMatchObject([{ calls: 100 }]);
  });
});

describe('a write that fails', () => {
  it('is repeated with what was counted since', async () => {
    const call = callOf();
    const { count, flush, close } = openCounters(failing(new Error('refused'), false));
    count(call);
    await expect(flush()).rejects.toThrow('refused');
    count(call);
    await close();
    expect(await read(store.db, call.organizationId)).toMatchObject([{ calls: 2 }]);
    expect(await read(store.db, call.organizationId, { step: 'minute' })).toMatchObject([
      { calls: 2 },
    ]);
  });

  it('is not repeated if it may have been committed', async () => {
    const call = callOf();
    const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const { errors, count, flush, close } = openCounters(failing(lost, true));
    count(call);
    await flush();
    expect(errors).toEqual([lost]);
    await close();
    expect(await read(store.db, call.organizationId)).toMatchObject([{ calls: 1 }]);
    expect(await read(store.db, call.organizationId, { step: 'minute' })).toMatchObject([
      { calls: 1 },
    ]);
  });
});

it('a node keeps a bounded number of rows in memory, and writes earlier instead of dropping calls', async () => {
  const call = callOf();
  const { errors, count, flush, close } = openCounters(store.db);
  for (let n = 0; n < 12_000; n += 1) {
    count({ ...call, subjectId: randomUUID() });
    if (n % 1_000 === 0) await flush();
  }
  await close();
  expect(errors).toEqual([]);
  expect(await read(store.db, call.organizationId)).toMatchObject([{ calls: 12_000 }]);
});
