import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/platform/database/store.ts';
import type { UsedCall } from '../../src/usage/counts.ts';
import { readUsage, type UsageRead } from '../../src/usage/read-usage.ts';
import { createUsageCounters } from '../../src/usage/usage-counters.ts';

export const HOUR = 60 * 60_000;
export const DAY = 24 * HOUR;

/** A call of one organization, application, integration and person. */
export function callOf(): UsedCall {
  return {
    organizationId: randomUUID(),
    applicationId: randomUUID(),
    integrationId: randomUUID(),
    subjectId: randomUUID(),
    tools: ['echo'],
    outcome: 'ok',
    endedAt: Date.now(),
    ms: 40,
    bytesIn: 100,
    bytesOut: 1_000,
  };
}

export function openCounters(db: Db) {
  const errors: unknown[] = [];
  return { errors, ...createUsageCounters({ db }, (error) => errors.push(error)) };
}

export async function countAll(db: Db, calls: readonly UsedCall[]): Promise<void> {
  const { count, close } = openCounters(db);
  for (const call of calls) count(call);
  await close();
}

/** By default everything of an organization by hour. */
export function read(db: Db, organizationId: string, fields: Partial<UsageRead> = {}) {
  return readUsage(db, {
    organizationId,
    userId: undefined,
    applicationIds: undefined,
    integrationIds: undefined,
    step: 'hour',
    groupBy: undefined,
    series: 100,
    from: new Date(0),
    to: new Date(Date.now() + DAY),
    ...fields,
  });
}
