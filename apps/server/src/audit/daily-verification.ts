import { setTimeout as delay } from 'node:timers/promises';
import { type AuditVerification, auditVerificationSchema, limits } from '@gatehouse/contract';
import type { Db, Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { readSnapshot } from './exporting/snapshot.ts';
import { readSigningKey } from './signing-keys.ts';
import type { Report } from './verify/report.ts';
import { verifySnapshot } from './verify/verify-snapshot.ts';

/** Milliseconds of work between two pauses, and of a pause: a tenth of one core. */
const WORK = 5;
const PAUSE = 45;

export interface DailyVerificationOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** The version of Gatehouse. */
  readonly version: string;
  readonly onVerified: (result: AuditVerification) => void;
}

/**
 * Verifies the whole audit, if no node has begun to within 23 hours.
 *
 * @param signal ends it soon, and leaves it to another node
 */
export async function verifyDaily(
  options: DailyVerificationOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db } = options.store;
  if (!(await begin(db))) return;
  try {
    const result = await verify(options, signal);
    await db.auditVerification.update({
      where: { id: 1 },
      data: { result: JSON.stringify(result) },
    });
    options.onVerified(result);
  } catch (error) {
    await db.auditVerification.update({ where: { id: 1 }, data: { startedAt: new Date(0) } });
    if (!signal.aborted) throw error;
  }
}

/** The result of the last verification; null before the first one. */
export async function readVerification(db: Db): Promise<AuditVerification | null> {
  const result = (await db.auditVerification.findUnique({ where: { id: 1 } }))?.result ?? null;
  return result === null ? null : auditVerificationSchema.parse(JSON.parse(result));
}

/** False while it is another node's, or done. */
async function begin(db: Db): Promise<boolean> {
  const begun = await db.$executeRaw`
    INSERT INTO "AuditVerification" AS v ("id", "startedAt") VALUES (1, now())
    ON CONFLICT ("id") DO UPDATE SET "startedAt" = excluded."startedAt"
    WHERE v."startedAt" < now() - interval '23 hours'`;
  return begun === 1;
}

async function verify(
  options: DailyVerificationOptions,
  signal: AbortSignal,
): Promise<AuditVerification> {
  const at = new Date().toISOString();
  const first = await verifyOnce(options, signal);
  // Reading may take longer than the time for which an export leaves out what retention drops.
  const report = first.verdict === 'verified' ? first : await verifyOnce(options, signal);
  const { verdict, findings, runs, blocks, calls, events, droppedUntil } = report;
  return {
    ...{ at, finishedAt: new Date().toISOString(), verdict },
    findings: findings
      .slice(0, limits.auditFindings)
      .map(({ code, run = null, number = null, message }) => ({ code, run, number, message })),
    ...{ blocks, calls, changes: events - calls },
    crashes: runs.filter(({ end }) => end === 'crashed').length,
    droppedUntil,
  };
}

async function verifyOnce(
  { store, vault, version: writtenBy }: DailyVerificationOptions,
  signal: AbortSignal,
): Promise<Report> {
  const signer = await readSigningKey(store, vault);
  const request = { organizationId: null, writtenBy };
  const { first, blocks, loose } = await readSnapshot({ db: store.db, signer }, request);
  const paced = { blocks: withPauses(blocks, signal), loose: withPauses(loose, signal) };
  return verifySnapshot({ first, ...paced });
}

async function* withPauses<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  let end = performance.now() + WORK;
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
    if (performance.now() < end) continue;
    await delay(PAUSE, undefined, { signal, ref: false });
    end = performance.now() + WORK;
  }
}
