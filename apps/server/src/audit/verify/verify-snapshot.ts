import { inflateBody } from '../body.ts';
import { exportLineSchema } from '../export-lines.ts';
import type { SnapshotBlock } from '../exporting/blocks-of-run.ts';
import type { AuditSnapshot } from '../exporting/snapshot.ts';
import { ExportBody, parsed } from './export-body.ts';
import { Findings, type Report, reportOf, SEEN_NOTHING, type VerifyOptions } from './report.ts';

/**
 * Says whether the audit of a database is whole and unchanged. It finds what `verifyExport` would find in an export. Call
 * events need not be printed for it: a block is signed with the hash of its body.
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
  for await (const event of loose) acceptEvent(event, body, findings);
  return reportOf(findings, body.finish(), options);
}

async function accept(block: SnapshotBlock, body: ExportBody, findings: Findings): Promise<void> {
  const { run, number } = block.line;
  if (!body.acceptBlock(block.line)) {
    findings.add('line', 'The block cannot be read.', { run, number });
    return;
  }
  const calls = block.body === null ? undefined : await inflated(block.body);
  if (calls !== undefined) body.acceptCalls(calls);
  for (const event of block.events) acceptEvent(event, body, findings);
}

/** Undefined for a body that is damaged: its events are missing. */
async function inflated(body: string): Promise<string | undefined> {
  try {
    return await inflateBody(body);
  } catch {
    return undefined;
  }
}

function acceptEvent(text: string, body: ExportBody, findings: Findings): void {
  const event = { type: 'event', event: parsed(text) };
  if (!body.acceptEvent(event)) findings.add('line', 'A management event cannot be read.');
}
