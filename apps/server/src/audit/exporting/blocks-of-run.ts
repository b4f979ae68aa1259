import type { Db } from '../../platform/database/store.ts';
import type { EventRow } from '../../platform/events/write-events.ts';
import type { RunHead } from '../block.ts';
import type { BlockLine, HeadLine } from '../export-lines.ts';
import type { RetentionReach } from '../retention-mark.ts';
import { blockOf, type StoredBlock } from '../stored-block.ts';
import type { ExportRequest } from './export-request.ts';

/** Blocks that are read at once. */
const BATCH = 20;

interface Deps {
  readonly db: Db;
  /** The mark of retention when the export began. */
  readonly mark: RetentionReach;
}

interface Head extends RunHead {
  /** The number of its last block that is left out. */
  readonly dropped: number;
}

/** A block as an export shows it, with its events as they are stored. */
export interface SnapshotBlock {
  readonly line: BlockLine | HeadLine;
  /** Its call events, deflated; null without calls, and where only its head is shown. */
  readonly body: string | null;
  /** Its management events, and those that say they are. */
  readonly events: readonly EventRow[];
  /** The column `hash`. */
  readonly hash: string;
}

/** The blocks of a run by number. */
export async function* blocksOfRun(
  { db, mark }: Deps,
  head: Head,
  { organizationId, from, to }: ExportRequest,
): AsyncGenerator<SnapshotBlock> {
  const begin = head.dropped + 1;
  const first = from === undefined ? begin : await findFirstSince(db, head, from);
  const end = to === undefined ? head.number + 1 : await findFirstSince(db, head, to);
  const last = Math.min(Math.max(end, begin), head.number);
  for (let number = Math.max(first - 1, begin); number <= last; number += BATCH) {
    const upTo = Math.min(number + BATCH - 1, last);
    const rows = await db.auditBlock.findMany({
      where: { run: head.run, number: { gte: number, lte: upTo } },
      orderBy: { number: 'asc' },
    });
    const blocks = rows.map(blockOf);
    const events = await eventsOf(db, head.run, number, upTo);
    for (const block of blocks) {
      const isInside = block.head.number >= first && block.head.number < end;
      const isOwn = organizationId === null || block.content.organizationId === organizationId;
      yield isInside && isOwn
        ? wholeOf(block, events.get(block.head.number) ?? [], mark)
        : { line: headLineOf(block), body: null, events: [], hash: block.hash };
    }
  }
}

function wholeOf(
  block: StoredBlock,
  events: readonly EventRow[],
  mark: RetentionReach,
): SnapshotBlock {
  const { managed } = block.content;
  const known = new Map(events.map((event) => [event.id, event]));
  const listed = managed.flatMap(({ id }) => known.get(id) ?? []);
  const ids = new Set(managed.map(({ id }) => id));
  const others = events.filter(({ id }) => !ids.has(id));
  const missing = managed.filter(({ id }) => !known.has(id));
  const line = blockLineOf(block, missing, mark);
  return {
    line,
    body: line.bodyDropped ? null : block.body,
    events: [...listed, ...others],
    hash: block.hash,
  };
}

function headLineOf({ head, signature }: StoredBlock): HeadLine {
  return { type: 'block', ...head, signature };
}

/** Retention has dropped a missing event only if it is old enough. An event can be older than its block. */
function blockLineOf(
  { head, content, signature }: StoredBlock,
  missing: readonly { readonly id: string }[],
  mark: RetentionReach,
): BlockLine {
  const isBodyDropped = content.body !== null && content.id < mark.calls;
  const areEventsDropped = missing.length > 0 && missing.every(({ id }) => id < mark.changes);
  return {
    ...{ type: 'block', ...head, signature },
    ...content,
    ...(isBodyDropped ? { bodyDropped: true } : {}),
    ...(areEventsDropped ? { managedDropped: true } : {}),
  };
}

/** The management events that say they are in these blocks, by the number of the block. */
async function eventsOf(
  db: Db,
  run: string,
  first: number,
  last: number,
): Promise<Map<number, EventRow[]>> {
  const rows = await db.auditEvent.findMany({
    where: { blockRun: run, blockNumber: { gte: first, lte: last } },
    orderBy: { id: 'asc' },
  });
  const events = new Map<number, EventRow[]>();
  for (const { blockNumber, blockRun: _, ...event } of rows) {
    if (blockNumber === null) continue;
    const found = events.get(blockNumber);
    if (found === undefined) events.set(blockNumber, [event]);
    else found.push(event);
  }
  return events;
}

/**
 * The number of the first block of a run that was made at a time or later; one more than the last if there is no such block. The
 * times of a run never go back, so that the numbers are halved again and again.
 */
async function findFirstSince(
  db: Db,
  { run, number: last }: RunHead,
  since: string,
): Promise<number> {
  const oldest = await db.auditBlock.findFirst({
    where: { run },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  let [low, high] = [oldest?.number ?? last + 1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await db.auditBlock.findUnique({
      where: { run_number: { run, number: middle } },
      select: { at: true },
    });
    if (block !== null && block.at >= new Date(since)) high = middle;
    else low = middle + 1;
  }
  return low;
}
