import { hash } from 'node:crypto';
import { type Anchor, makeAnchor } from '../../../src/audit/block.ts';
import type { ManagementEvent } from '../../../src/audit/event.ts';
import { type EndLine, type ExportLine, endHashOf } from '../../../src/audit/export-lines.ts';
import { makeAuditKey, type NewAuditKey, signHash } from '../../../src/audit/keys.ts';
import { readLines } from '../../../src/audit/verify/read-lines.ts';
import type { Report, VerifyOptions } from '../../../src/audit/verify/report.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import { type Block, Chain, managementEvent, timeOf } from './chain.ts';

export const OURS = 'organization-1';
const THEIRS = 'organization-2';

/** Runs of two nodes with two organizations. The key was replaced in one of them. */
export interface Installation {
  readonly keys: readonly [NewAuditKey, NewAuditKey];
  /** Ended in good order; its first two blocks were dropped. */
  readonly ended: Chain;
  /** Ended by a crash, after it had committed an event that `live` took into a block. */
  readonly crashed: Chain;
  readonly live: Chain;
  readonly anchor: Anchor;
  /** In no block yet. */
  readonly loose: ManagementEvent;
}

export function makeInstallation(): Installation {
  const first = makeAuditKey();
  const second = makeAuditKey(first);
  const [ended, crashed, live] = [new Chain('n1'), new Chain('n2'), new Chain('n1')];
  const ours = { key: first, organizationId: OURS };
  const theirs = { key: first, organizationId: THEIRS, managed: [managementEvent(3)] };
  ended.add({ ...ours, at: 1, calls: 2 });
  ended.add({ ...ours, at: 2, calls: 1 });
  ended.add({ ...ours, at: 3, calls: 2, managed: [managementEvent(2), managementEvent(3)] });
  ended.add({ ...theirs, at: 4, calls: 3 });
  crashed.add({ ...ours, at: 4, calls: 3, witnesses: [ended.head()] });
  ended.add({ ...ours, at: 5, calls: 2, witnesses: [crashed.head()] });
  ended.add({ key: first, at: 6, ends: true, witnesses: [crashed.head()] });
  const three = [5, 6, 7].map((at) => managementEvent(at));
  crashed.add({ ...ours, at: 7, managed: three, witnesses: [ended.head()] });
  crashed.add({ ...theirs, at: 8 });
  live.add({ key: first, at: 20, witnesses: [ended.head(), crashed.head()] });
  const adopted = { managed: [managementEvent(9)], adoptedFrom: crashed.run };
  live.add({ ...ours, at: 21, calls: 2, ...adopted });
  live.add({ ...ours, key: second, at: 22, calls: 1 });
  live.add({ ...theirs, key: second, at: 23 });
  live.add({ ...ours, key: second, at: 24, managed: [managementEvent(23)] });
  const anchor = makeAnchor(ended.head(2), first.key.id, first.privateKey);
  return { keys: [first, second], ended, crashed, live, anchor, loose: managementEvent(60) };
}

/** The smallest export with events of both kinds, and its key. */
export function makeSmallExport() {
  const key = makeAuditKey();
  const chain = new Chain('n1');
  chain.add({ at: 1, key, organizationId: OURS, calls: 1, managed: [managementEvent(1)] });
  const first: ExportLine = {
    ...{ type: 'export', version: 1, writtenBy: '1.2.3', at: timeOf(2), organizationId: OURS },
    ...{ from: null, to: null, keys: [key.key], anchors: [] },
    heads: [{ ...chain.head(), node: 'n1', state: 'live' }],
  };
  const blocks = chain.blocks.flatMap((block) => linesOf(block, OURS, null, null));
  const lines = [first, ...blocks].map((line) => JSON.stringify(line));
  return { lines: seal(lines, key), key: key.key.publicKey };
}

/** The same file with one bit flipped. */
export function withFlipped(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}

interface ExportOptions {
  readonly organizationId?: string | null;
  /** Seconds since the start. */
  readonly from?: number;
  readonly to?: number;
}

/** The lines of an export, made a minute after the start. */
export function exportOf(made: Installation, options: ExportOptions = {}): string[] {
  const { keys, ended, crashed, live, anchor, loose } = made;
  const { organizationId = OURS } = options;
  const from = options.from === undefined ? null : timeOf(options.from);
  const to = options.to === undefined ? null : timeOf(options.to);
  const states = [
    [ended, 'ended'] as const,
    [crashed, 'crashed'] as const,
    [live, 'live'] as const,
  ];
  const first: ExportLine = {
    ...{ type: 'export', version: 1, writtenBy: '1.2.3', at: timeOf(61), organizationId, from, to },
    keys: keys.map(({ key }) => key),
    heads: states.map(([chain, state]) => ({ ...chain.head(), node: chain.node, state })),
    anchors: [anchor],
  };
  const lines: unknown[] = [first];
  for (const [chain] of states) {
    const kept = chain.blocks.slice(chain === ended ? 2 : 0);
    for (const block of piece(kept, from, to))
      lines.push(...linesOf(block, organizationId, from, to));
  }
  if (to === null) lines.push({ type: 'event', event: loose });
  return seal(
    lines.map((line) => JSON.stringify(line)),
    keys[1],
  );
}

/** The blocks of these times, and the one before and the one after. */
function piece(blocks: readonly Block[], from: string | null, to: string | null): Block[] {
  return blocks.filter((_, index) => {
    const [before, after] = [blocks[index - 1], blocks[index + 1]];
    const isFrom = from === null || after === undefined || after.head.at >= from;
    return isFrom && (to === null || before === undefined || before.head.at < to);
  });
}

function linesOf(
  { head, content, signature, calls, managed }: Block,
  organizationId: string | null,
  from: string | null,
  to: string | null,
): unknown[] {
  const isInside = (from === null || head.at >= from) && (to === null || head.at < to);
  const isOwn = organizationId === null || content.organizationId === organizationId;
  if (!isInside || !isOwn) return [{ type: 'block', ...head, signature }];
  const events = [...calls, ...managed].map((event) => ({ type: 'event', event }));
  return [{ type: 'block', ...head, ...content, signature }, ...events];
}

/** Ends lines as someone with this key would, in place of an end that they may have. */
export function seal(lines: readonly string[], { key, privateKey }: NewAuditKey): string[] {
  const body = lines.filter((line) => !line.includes('"type":"end"'));
  const count = (type: string) =>
    body.filter((line) => line.startsWith(`{"type":"${type}"`)).length;
  const unsigned = {
    ...{ blocks: count('block'), events: count('event') },
    hash: hash('sha256', body.map((line) => `${line}\n`).join('')),
    keyId: key.id,
  };
  const signature = signHash(endHashOf(unsigned), privateKey);
  const end: EndLine = { type: 'end', ...unsigned, signature };
  return [...body, JSON.stringify(end)];
}

export const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** As the command reads a file. */
export function verify(file: string | Uint8Array, options?: VerifyOptions): Promise<Report> {
  async function* chunks() {
    yield Buffer.from(file);
  }
  return verifyExport(readLines(chunks()), options);
}

export const verifyLines = (lines: readonly string[], options?: VerifyOptions) =>
  verify(textOf(lines), options);

export const codesOf = ({ findings }: Report) => findings.map(({ code }) => code);
