import { isDeepStrictEqual } from 'node:util';
import { type EventOrigin, type EventRow, eventRowOf } from '../../platform/events/write-events.ts';
import { blockHashOf } from '../block.ts';
import type { AuditEvent } from '../event.ts';
import { exportLineSchema } from '../export-lines.ts';
import type { SnapshotBlock } from '../exporting/blocks-of-run.ts';
import type { AuditSnapshot } from '../exporting/snapshot.ts';
import { inflateBody } from '../stored-block.ts';
import { ExportBody, parsed } from './export-body.ts';
import { Findings, type Report, reportOf, SEEN_NOTHING, type VerifyOptions } from './report.ts';

/**
 * Says whether the audit of a database is whole and unchanged. It finds what `verifyExport` would find in an export, and
 * columns that differ from the events and blocks in their rows. Call events need not be printed for it: a block is signed
 * with the hash of its body.
 */
export async function verifySnapshot(
  { first, blocks, loose }: AuditSnapshot,
  options: VerifyOptions = {},
): Promise<Report> {
  const findings = new Findings();
  if (!exportLineSchema.safeParse(first).success) {
    findings.add('line', 'The keys, the last blocks or the anchors of the audit cannot be read.');
    return reportOf(findings, SEEN_NOTHING, options);
  }
  const body = new ExportBody(first, findings, options);
  for await (const block of blocks) await accept(block, body, findings);
  // No block says yet of which organization and run it is.
  for await (const row of loose) acceptEvent(row, row, body, findings);
  return reportOf(findings, body.finish(), options);
}

async function accept(block: SnapshotBlock, body: ExportBody, findings: Findings): Promise<void> {
  const { run, number } = block.line;
  if (!body.acceptBlock(block.line)) {
    findings.add('line', 'The block cannot be read.', { run, number });
    return;
  }
  if (block.hash !== blockHashOf(block.line)) {
    findings.add('column', 'The column "hash" is not the hash of the block.', { run, number });
  }
  const calls = block.body === null ? undefined : await inflated(block.body);
  if (calls !== undefined) body.acceptCalls(calls);
  const originOf = originsOf(block);
  for (const row of block.events) acceptEvent(row, originOf(row), body, findings, { run, number });
}

/** Undefined for a body that is damaged: its events are missing. */
async function inflated(body: string): Promise<string | undefined> {
  try {
    return await inflateBody(body);
  } catch {
    return undefined;
  }
}

/** The organization and run of each event as the block says, or as the row says if the block does not name it. */
function originsOf({ line }: SnapshotBlock): (row: EventRow) => EventOrigin {
  if (!('id' in line)) return (row) => row;
  const runs = new Map(line.managed.map(({ id, run }) => [id, run ?? line.run]));
  const { organizationId } = line;
  return (row) => ({
    organizationId: organizationId ?? row.organizationId,
    run: runs.get(row.id) ?? row.run,
  });
}

function acceptEvent(
  row: EventRow,
  origin: EventOrigin,
  body: ExportBody,
  findings: Findings,
  where: { readonly run?: string; readonly number?: number } = {},
): void {
  const event = body.acceptEvent({ type: 'event', event: parsed(row.event) });
  if (event === undefined) {
    findings.add('line', 'A management event cannot be read.');
    return;
  }
  const [column] = changedColumnsOf(row, event, origin);
  if (column === undefined) return;
  const message = `The column "${column}" of the management event is not what the event says.`;
  findings.add('column', message, { ...where, eventId: event.id });
}

/** The columns of a stored event that do not follow from its text and from what its block says of it. */
function changedColumnsOf(row: EventRow, event: AuditEvent, origin: EventOrigin): string[] {
  const { concerns, ...columns } = eventRowOf(event, origin);
  const stored = new Map<string, unknown>(Object.entries(row));
  const changed = Object.entries(columns)
    .filter(([name, value]) => !isDeepStrictEqual(stored.get(name), value))
    .map(([name]) => name);
  return isSame(row, concerns) ? changed : [...changed, 'concerns'];
}

/** In any order. Earlier versions also took ids out of the name of a target that was gone. */
function isSame({ concerns, event }: EventRow, expected: readonly string[]): boolean {
  const stored = new Set(concerns);
  return expected.every((id) => stored.has(id)) && concerns.every((id) => event.includes(id));
}
