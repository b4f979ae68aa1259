import { createHash } from 'node:crypto';
import { decodeCalls } from '../decode-calls.ts';
import { type EndLine, endHashOf } from '../export-lines.ts';
import { type NewAuditKey, signHash } from '../keys.ts';
import { inflateBody } from '../stored-block.ts';
import type { SnapshotBlock } from './blocks-of-run.ts';
import type { ExportRequest } from './export-request.ts';
import { type ExportDeps, readSnapshot } from './snapshot.ts';

/** The lines of an export, without their line breaks. */
export async function* exportAudit(
  deps: ExportDeps,
  request: ExportRequest,
): AsyncGenerator<string> {
  const digest = new LineDigest();
  const { first, blocks, loose } = await readSnapshot(deps, request);
  yield digest.add(JSON.stringify(first));
  for await (const block of blocks) {
    for (const line of await linesOf(block)) yield digest.add(line);
  }
  for await (const { event } of loose) yield digest.add(eventLine(event));
  yield JSON.stringify(digest.end(deps.signer));
}

async function linesOf(block: SnapshotBlock): Promise<string[]> {
  const calls = await callsOf(block);
  const managed = block.events.map(({ event }) => event);
  const events = [...calls.map((call) => JSON.stringify(call)), ...managed];
  return [JSON.stringify(block.line), ...events.map(eventLine)];
}

/** A body that cannot be read has no events: those who verify the export find them missing. */
async function callsOf({ line, body }: SnapshotBlock) {
  if (body === null || !('id' in line)) return [];
  try {
    return decodeCalls(line, await inflateBody(body));
  } catch {
    return [];
  }
}

/** @param event as JSON, byte for byte as it is stored */
function eventLine(event: string): string {
  return `{"type":"event","event":${event}}`;
}

/** The hash of all lines, and how many of them are blocks and events. */
class LineDigest {
  readonly #hash = createHash('sha256');
  #blocks = 0;
  #events = 0;

  add(line: string): string {
    this.#hash.update(`${line}\n`);
    if (line.startsWith('{"type":"block"')) this.#blocks += 1;
    else if (line.startsWith('{"type":"event"')) this.#events += 1;
    return line;
  }

  end({ key, privateKey }: NewAuditKey): EndLine {
    const counts = { blocks: this.#blocks, events: this.#events };
    const unsigned = { ...counts, hash: this.#hash.digest('hex'), keyId: key.id };
    return { type: 'end', ...unsigned, signature: signHash(endHashOf(unsigned), privateKey) };
  }
}
