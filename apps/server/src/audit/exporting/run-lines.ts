import type { Db } from '../../platform/database/store.ts';
import type { RunHead } from '../block.ts';
import { inflateBody } from '../body.ts';
import { decodeCalls } from '../decode-calls.ts';
import type { AuditEvent } from '../event.ts';
import type { BlockLine, HeadLine } from '../export-lines.ts';
import { callsDroppedBefore, eventsDroppedBefore } from '../retention-days.ts';
import { blockOf, type StoredBlock } from '../stored-block.ts';
import { type ExportRequest, READ_WITHIN } from './export-request.ts';
import { findFirstSince } from './find-first-since.ts';

/** Blocks that are read at once. */
const BATCH = 20;

interface Head extends RunHead {
  /** The number of its last block that is left out. */
  readonly dropped: number;
}

/** The lines of a run: its blocks by number, each with its events. */
export async function* linesOfRun(
  db: Db,
  head: Head,
  { organizationId, from, to }: ExportRequest,
): AsyncGenerator<string> {
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
      if (isInside && isOwn) yield* linesOfBlock(block, events.get(block.head.number) ?? []);
      else yield JSON.stringify(headLineOf(block));
    }
  }
}

async function* linesOfBlock(
  block: StoredBlock,
  events: readonly StoredEvent[],
): AsyncGenerator<string> {
  const known = new Map(events.map((event) => [event.id, event]));
  const listed = block.content.managed.flatMap(({ id }) => known.get(id) ?? []);
  const ids = new Set(block.content.managed.map(({ id }) => id));
  const others = events.filter(({ id }) => !ids.has(id));
  const missing = block.content.managed.filter(({ id }) => !known.has(id));
  const line = blockLineOf(block, missing);
  yield JSON.stringify(line);
  const calls = line.bodyDropped ? [] : await callsOf(block);
  for (const call of calls) yield eventLine(JSON.stringify(call));
  for (const { event } of [...listed, ...others]) yield eventLine(event);
}

/** @param event as JSON, byte for byte as it is stored */
export function eventLine(event: string): string {
  return `{"type":"event","event":${event}}`;
}

function headLineOf({ head, signature }: StoredBlock): HeadLine {
  return { type: 'block', ...head, signature };
}

/** What is missing was dropped by retention only if it is old enough. An event can be older than its block. */
function blockLineOf(
  { head, content, signature }: StoredBlock,
  missing: readonly { readonly id: string }[],
): BlockLine {
  const isBodyDropped = content.body !== null && content.id < callsDroppedBefore(READ_WITHIN);
  const oldest = eventsDroppedBefore(READ_WITHIN);
  const areEventsDropped = missing.length > 0 && missing.every(({ id }) => id < oldest);
  return {
    ...{ type: 'block', ...head, signature },
    ...content,
    ...(isBodyDropped ? { bodyDropped: true } : {}),
    ...(areEventsDropped ? { managedDropped: true } : {}),
  };
}

/** A body that cannot be read has no events: those who verify the export find them missing. */
async function callsOf({ content, body }: StoredBlock): Promise<readonly AuditEvent[]> {
  if (body === null) return [];
  try {
    return decodeCalls(content, await inflateBody(body));
  } catch {
    return [];
  }
}

interface StoredEvent {
  readonly id: string;
  readonly event: string;
}

/** The management events that say they are in these blocks, by the number of the block. */
async function eventsOf(
  db: Db,
  run: string,
  first: number,
  last: number,
): Promise<Map<number, StoredEvent[]>> {
  const rows = await db.auditEvent.findMany({
    where: { blockRun: run, blockNumber: { gte: first, lte: last } },
    orderBy: { id: 'asc' },
    select: { id: true, event: true, blockNumber: true },
  });
  const events = new Map<number, StoredEvent[]>();
  for (const { id, event, blockNumber } of rows) {
    if (blockNumber === null) continue;
    const found = events.get(blockNumber);
    if (found === undefined) events.set(blockNumber, [{ id, event }]);
    else found.push({ id, event });
  }
  return events;
}
