import { NIL } from '../platform/database/index-range.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { smallestIdAt } from '../platform/ids.ts';
import type { Vault } from '../vault/vault.ts';
import { hashOf } from './hash.ts';
import { isSignedByOneOf, signHash } from './keys.ts';
import { listKeys, readSigningKey } from './signing-keys.ts';

/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** For how many days the audit keeps its events. */
export interface AuditDays {
  /** Call events, in their blocks. */
  readonly calls: number;
  /** Management events. */
  readonly changes: number;
}

/** How far retention goes. */
export interface RetentionReach {
  /** Blocks with a smaller id lose their call events. */
  readonly calls: string;
  /** Management events with a smaller id are deleted. */
  readonly changes: string;
}

/** @param later milliseconds from now */
export function reachOf({ calls, changes }: AuditDays, later = 0): RetentionReach {
  const idBefore = (days: number) => smallestIdAt(Date.now() + later - days * DAY);
  return { calls: idBefore(calls), changes: idBefore(changes) };
}

/*
 * The mark says how far retention may go. Whatever reads the audit rests on it, and on no setting: an export leaves out what is
 * older, and what is missing of the rest was not dropped by retention. It never goes back, so what was dropped under fewer
 * days is not missing under more.
 */

/**
 * Milliseconds from a mark until something is dropped by it, in which an export that has read it can be finished. A little less
 * than the time between two sweeps.
 */
const ANNOUNCED_FOR = 59 * 60 * 1000;

/** Versions without a mark have dropped by these days. */
const DAYS_BEFORE_MARKS: AuditDays = { calls: 90, changes: 365 };

/** How far retention may have gone, and may go within the next hour. A mark that no key has signed counts as no reach at all. */
export async function readMark(db: Db): Promise<RetentionReach> {
  const row = await db.auditRetention.findUnique({ where: { id: 1 } });
  if (row === null) return reachOf(DAYS_BEFORE_MARKS, ANNOUNCED_FOR);
  const { calls, changes, signedBy: keyId, signature } = row;
  const hash = markHashOf({ calls, changes }, keyId);
  const isSigned = isSignedByOneOf(await listKeys(db), hash, { keyId, signature });
  return isSigned ? { calls, changes } : { calls: NIL, changes: NIL };
}

/**
 * Moves the mark to what is dropped an hour later.
 *
 * @returns what may be dropped now, because the mark before has said so; undefined if that is another node's to do in this
 * hour, or if no key has signed that mark
 */
export async function advanceMark(
  store: Store,
  vault: Vault,
  days: AuditDays,
): Promise<RetentionReach | undefined> {
  const { db } = store;
  const found = await readMark(db);
  const next = pick(found, reachOf(days, ANNOUNCED_FOR), 'later');
  const { key, privateKey } = await readSigningKey(store, vault);
  const signature = signHash(markHashOf(next, key.id), privateKey);
  const moved = await db.$executeRaw`
    INSERT INTO "AuditRetention" AS m
      ("id", "calls", "changes", "announcedAt", "signedBy", "signature")
    VALUES (1, ${next.calls}::uuid, ${next.changes}::uuid, now(), ${key.id}, ${signature})
    ON CONFLICT ("id") DO UPDATE SET "calls" = excluded."calls", "changes" = excluded."changes",
      "announcedAt" = excluded."announcedAt", "signedBy" = excluded."signedBy",
      "signature" = excluded."signature"
    WHERE m."calls" = ${found.calls}::uuid AND m."changes" = ${found.changes}::uuid
      AND m."announcedAt" <= now() - ${ANNOUNCED_FOR}::float8 * interval '1 millisecond'`;
  return moved === 1 ? pick(found, reachOf(days), 'earlier') : undefined;
}

/** The later or the earlier id of each kind. Ids in lower case sort by time. */
function pick(a: RetentionReach, b: RetentionReach, which: 'later' | 'earlier'): RetentionReach {
  const one = (x: string, y: string) => (x < y === (which === 'earlier') ? x : y);
  return { calls: one(a.calls, b.calls), changes: one(a.changes, b.changes) };
}

function markHashOf({ calls, changes }: RetentionReach, keyId: string): string {
  return hashOf('retention', [calls, changes, keyId]);
}
