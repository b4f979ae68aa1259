import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/store.ts';
import { type EndLine, EXPORT_VERSION, type ExportLine, endHashOf } from '../export-lines.ts';
import type { NewAuditKey } from '../keys.ts';
import { signHash } from '../signature.ts';
import { listKeys } from '../signing-keys.ts';
import type { ExportRequest } from './export-request.ts';
import { looseLines } from './loose-lines.ts';
import { readAnchors } from './read-anchors.ts';
import { readRunHeads } from './read-heads.ts';
import { linesOfRun } from './run-lines.ts';

/** What an export reads from, and what signs its end. */
export interface ExportDeps {
  readonly db: Db;
  readonly signer: NewAuditKey;
}

/**
 * The lines of an export, without their line breaks. Blocks are never changed, so that what there is at the beginning is
 * a snapshot: what is written meanwhile is left out, and so is what retention may drop.
 */
export async function* exportAudit(
  { db, signer }: ExportDeps,
  request: ExportRequest,
): AsyncGenerator<string> {
  const digest = new LineDigest();
  const { first, anchors } = await readFirst({ db, signer }, request);
  yield digest.add(JSON.stringify(first));
  for (const head of first.heads) {
    const dropped = anchors.get(head.run)?.number ?? 0;
    for await (const line of linesOfRun(db, { ...head, dropped }, request)) yield digest.add(line);
  }
  for await (const line of looseLines(db, request, first)) yield digest.add(line);
  yield JSON.stringify(digest.end(signer));
}

async function readFirst({ db, signer }: ExportDeps, request: ExportRequest) {
  const { organizationId, from, to, writtenBy } = request;
  const at = new Date().toISOString();
  const heads = await readRunHeads(db);
  const anchors = await readAnchors(db, signer);
  const first: ExportLine = {
    type: 'export',
    version: EXPORT_VERSION,
    ...{ writtenBy, at, organizationId, from: inUtc(from), to: inUtc(to) },
    keys: await listKeys(db),
    heads: heads.filter(({ run, number }) => number > (anchors.get(run)?.number ?? 0)),
    anchors: [...anchors.values()],
  };
  return { first, anchors };
}

function inUtc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
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
