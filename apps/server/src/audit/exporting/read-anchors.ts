import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { type Anchor, makeAnchor } from '../anchor.ts';
import type { RunHead } from '../block.ts';
import { findIntact } from '../intact-blocks.ts';
import type { NewAuditKey } from '../keys.ts';
import { selectLastBlocks } from '../last-blocks.ts';
import type { RetentionReach } from '../retention-days.ts';

/**
 * Where the runs of an export begin: after what retention has dropped, and after what it may drop while the export is
 * read.
 */
export async function readAnchors(
  db: Db,
  mark: RetentionReach,
  { key, privateKey }: NewAuditKey,
): Promise<Map<string, Anchor>> {
  const passing = await readPassing(db, mark);
  // Afterwards: what has passed meanwhile is here.
  const stored = await db.auditAnchor.findMany({ orderBy: { run: 'asc' } });
  const anchors = new Map(
    stored.map(({ signedBy: keyId, ...anchor }) => [anchor.run, { ...anchor, keyId }]),
  );
  for (const head of passing) {
    const isLater = head.number > (anchors.get(head.run)?.number ?? 0);
    if (isLater) anchors.set(head.run, makeAnchor(head, key.id, privateKey));
  }
  return anchors;
}

/** The last block of each run that retention may drop while an export is read. */
async function readPassing(db: Db, mark: RetentionReach): Promise<RunHead[]> {
  const heads = selectLastBlocks(Prisma.sql`b."run", b."number"`);
  const passing = await db.$queryRaw<Pick<RunHead, 'run' | 'number'>[]>`
    SELECT d."run", d."number"
    FROM (${heads}) h LEFT JOIN LATERAL (
      SELECT b."number" FROM "AuditBlock" b
      WHERE b."run" = h."run" AND (b."id" >= ${mark.calls}::uuid
        OR b."managed" <> '[]' AND b."id" >= ${mark.changes}::uuid)
      ORDER BY b."number" LIMIT 1) needed ON true
    JOIN "AuditBlock" d
      ON d."run" = h."run" AND d."number" = COALESCE(needed."number" - 1, h."number")`;
  return findIntact(db, passing);
}
