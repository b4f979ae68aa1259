import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import type { ExportLine } from '../export-lines.ts';
import { selectLastBlocks } from '../last-blocks.ts';

type Head = ExportLine['heads'][number];

interface HeadRow extends Omit<Head, 'state'> {
  readonly ends: boolean;
  readonly isRunning: boolean;
}

/** The last block of each run. A run without a final block is live while a node of its name runs. */
export async function readRunHeads(db: Db): Promise<Head[]> {
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
