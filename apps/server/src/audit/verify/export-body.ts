import { anchorHashOf, blockHashOf, contentHashOf, ownerOf } from '../block.ts';
import type { AuditEvent } from '../event.ts';
import {
  type BlockLine,
  blockLineSchema,
  type ExportLine,
  eventLineSchema,
  type HeadLine,
  headLineSchema,
} from '../export-lines.ts';
import { BlockEvents } from './block-events.ts';
import type { FindingCode, Findings, Seen, VerifyOptions } from './report.ts';
import { RunCheck } from './run-check.ts';
import { TrustedKeys } from './trusted-keys.ts';

/** An object as it was parsed. */
export type Value = Readonly<Record<string, unknown>>;

/** Undefined for a text that is not an object. */
export function parsed(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

const NO_RUN =
  'The export does not have the run of the given head: it was made earlier, or the run is missing.';

/** Milliseconds in which a management event enters a block, with a large margin. */
const YOUNG = 60_000;

/** The blocks and events of an export. */
export class ExportBody {
  readonly counts = { blocks: 0, calls: 0, events: 0 };
  readonly keys: TrustedKeys;
  readonly #first: ExportLine;
  readonly #findings: Findings;
  readonly #runs: ReadonlyMap<string, RunCheck>;
  /** The run of the block before, and those that had blocks until then. */
  #run = '';
  readonly #begun = new Set<string>();
  #events: BlockEvents | undefined;
  /** The first event that is in no block. */
  #loose: string | undefined;
  readonly #droppedUntil: { calls: string | null; management: string | null } = {
    calls: null,
    management: null,
  };

  constructor(first: ExportLine, findings: Findings, { key, heads = [] }: VerifyOptions) {
    this.#first = first;
    this.#findings = findings;
    this.keys = new TrustedKeys(first.keys, key, findings);
    this.#runs = this.#runsOf(first);
    for (const anchor of first.anchors) {
      if (this.keys.hasSigned(anchorHashOf(anchor), anchor)) continue;
      this.#add('anchor', anchor, 'The anchor of the run is not signed with a trusted key.');
    }
    for (const head of heads) {
      const run = this.#runs.get(head.run);
      if (run !== undefined) run.expect(head);
      else this.#add('head', head, NO_RUN);
    }
  }

  #runsOf({ heads, anchors, from, to }: ExportLine): ReadonlyMap<string, RunCheck> {
    const context = { findings: this.#findings, keys: this.keys, from, to };
    const headOf = new Map(heads.map((head) => [head.run, head]));
    const anchorOf = new Map(anchors.map((anchor) => [anchor.run, anchor]));
    const checkOf = (run: string) =>
      new RunCheck(run, { ...context, head: headOf.get(run), anchor: anchorOf.get(run) });
    return new Map([...headOf.keys(), ...anchorOf.keys()].map((run) => [run, checkOf(run)]));
  }

  /** @returns false for what is not a block */
  acceptBlock(value: Value): boolean {
    this.#endBlock();
    const line = readBlock(value);
    if (line === undefined) return false;
    this.counts.blocks += 1;
    const run = this.#runs.get(line.run);
    if (run === undefined) {
      this.#add('block_foreign', line, 'The first line does not name the run of the block.');
      return true;
    }
    this.#enterRun(line);
    run.accept(line, blockHashOf(line));
    for (const witness of line.witnesses) {
      const witnessed = this.#runs.get(witness.run);
      if (witnessed !== undefined) witnessed.witness(witness);
      else this.#add('run_missing', witness, 'The run is missing, which another run has seen.');
    }
    if ('id' in line) this.#beginBlock(line);
    else this.#checkHidden(line);
    return true;
  }

  /** Events after a block belong to it, unless no other block follows. */
  #endBlock(): void {
    this.#events?.finish();
    this.#events = undefined;
    if (this.#loose !== undefined) this.#foreign(this.#loose);
  }

  #enterRun(line: HeadLine): void {
    if (line.run === this.#run) return;
    if (this.#begun.has(line.run)) {
      this.#add('block_order', line, 'The block is not with the other blocks of its run.');
    }
    this.#begun.add(line.run);
    this.#run = line.run;
  }

  #beginBlock(line: BlockLine): void {
    const { run, number, at } = line;
    if (line.owner !== ownerOf(run, number, line.organizationId) || !this.#isOwn(line)) {
      this.#add('content', line, 'The block belongs to another organization.');
    } else if (line.content !== contentHashOf(line)) {
      this.#add('content', line, 'What the block says about its events is changed.');
    }
    const until = this.#droppedUntil;
    if (line.bodyDropped) until.calls = later(until.calls, at);
    if (line.managedDropped) until.management = later(until.management, at);
    this.#events = new BlockEvents(line, this.#findings);
  }

  #checkHidden(line: HeadLine): void {
    const { from, to } = this.#first;
    const isInside = (from === null || line.at >= from) && (to === null || line.at < to);
    if (isInside && this.#isOwn(line)) {
      this.#add('content', line, 'What the block says about its events is missing.');
    }
  }

  #isOwn({ run, number, owner }: HeadLine): boolean {
    const { organizationId } = this.#first;
    return organizationId === null || owner === ownerOf(run, number, organizationId);
  }

  /** The call events of the block before, as it stores them. */
  acceptCalls(body: string): void {
    const calls = this.#events?.acceptBody(body) ?? 0;
    this.counts.events += calls;
    this.counts.calls += calls;
  }

  /** Undefined for what is not an event. */
  acceptEvent(value: Value): AuditEvent | undefined {
    const read = eventLineSchema.safeParse(value);
    if (!read.success) return undefined;
    const { event } = read.data;
    this.counts.events += 1;
    if (event.kind === 'call') this.counts.calls += 1;
    if (this.#events?.accept(event, value.event)) return event;
    if (this.#isYoung(event)) this.#loose ??= event.id;
    else this.#foreign(event.id);
    return event;
  }

  #isYoung({ kind, at }: AuditEvent): boolean {
    return kind === 'management' && Date.parse(at) > Date.parse(this.#first.at) - YOUNG;
  }

  #foreign(eventId: string): void {
    this.#findings.add('event_foreign', 'The event is in no block.', { eventId });
  }

  /** To be called once, after the last block and event. */
  finish(): Seen {
    this.#events?.finish();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.finish();
    const { at, organizationId, from, to } = this.#first;
    return {
      export: { at, organizationId, from, to },
      runs: runs.flatMap(({ report }) => report ?? []),
      ...this.counts,
      droppedUntil: this.#droppedUntil,
      headsChecked: runs.reduce((sum, { headsFound }) => sum + headsFound, 0),
    };
  }

  #add(code: FindingCode, { run, number }: { run: string; number: number }, message: string): void {
    this.#findings.add(code, message, { run, number });
  }
}

function readBlock(value: Value): BlockLine | HeadLine | undefined {
  if (!('id' in value)) return headLineSchema.safeParse(value).data;
  return blockLineSchema.safeParse(value).data;
}

function later(known: string | null, at: string): string {
  return known === null || known < at ? at : known;
}
