import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import type { EventRow } from '../../platform/events/write-events.ts';
import { type Anchor, makeAnchor, type RunHead } from '../block.ts';
import { EXPORT_VERSION, type ExportLine } from '../export-lines.ts';
import type { NewAuditKey } from '../keys.ts';
import { type RetentionReach, readMark } from '../retention-mark.ts';
import { listKeys } from '../signing-keys.ts';
import { findIntact, selectLastBlocks } from '../stored-block.ts';
import { blocksOfRun, type SnapshotBlock } from './blocks-of-run.ts';
import type { ExportRequest } from './export-request.ts';
import { looseEvents } from './loose-events.ts';

/** The database that an export reads, and the key that signs its end. */
export interface ExportDeps {
  readonly db: Db;
  readonly signer: NewAuditKey;
}

/**
 * The audit at one time. Blocks are never changed: what is written afterwards is left out, and so is what retention may
 * drop while it is read.
 */
export interface AuditSnapshot {
  readonly first: ExportLine;
  /** Run by run, by number. */
  readonly blocks: AsyncIterable<SnapshotBlock>;
  /** Management events in no block. To be read after the blocks. */
  readonly loose: AsyncIterable<EventRow>;
}

export async function readSnapshot(
  { db, signer }: ExportDeps,
  request: ExportRequest,
): Promise<AuditSnapshot> {
  const { organizationId, from, to, writtenBy } = request;
  const at = new Date().toISOString();
  const heads = await readRunHeads(db);
  const mark = await readMark(db);
  const anchors = await readAnchors(db, mark, signer);
  const droppedOf = (run: string) => anchors.get(run)?.number ?? 0;
  const first: ExportLine = {
    type: 'export',
    version: EXPORT_VERSION,
    ...{ writtenBy, at, organizationId, from: inUtc(from), to: inUtc(to) },
    keys: await listKeys(db),
    heads: heads.filter(({ run, number }) => number > droppedOf(run)),
    anchors: [...anchors.values()],
  };
  async function* blocks() {
    for (const head of first.heads) {
      yield* blocksOfRun({ db, mark }, { ...head, dropped: droppedOf(head.run) }, request);
    }
  }
  return { first, blocks: blocks(), loose: looseEvents(db, request, first) };
}

function inUtc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

type Head = ExportLine['heads'][number];

interface HeadRow extends Omit<Head, 'state'> {
  readonly ends: boolean;
  readonly isRunning: boolean;
}

/** The last block of each run. A run without a final block is live while a node of its name runs. */
async function readRunHeads(db: Db): Promise<Head[]> {
  const rows = await db.$queryRaw<HeadRow[]>(
    selectLastBlocks(Prisma.sql`
      b."run", b."node", b."number", b."hash", b."ends", EXISTS (
        SELECT 1 FROM "Node" n
        WHERE n."name" = b."node" AND n."leaseUntil" > now()) AS "isRunning"`),
  );
  return rows.map(({ ends, isRunning, run, node, number, hash }) => ({
    ...{ run, node, number, hash },
    state: ends ? 'ended' : isRunning ? 'live' : 'crashed',
  }));
}

/**
 * Where the runs of an export begin: after what retention has dropped, and after what it may drop while the export is
 * read.
 */
async function readAnchors(
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
