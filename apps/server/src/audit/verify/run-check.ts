import type { Anchor, RunHead } from '../block.ts';
import type { BlockLine, ExportLine, HeadLine } from '../export-lines.ts';
import { HashList } from './hash-list.ts';
import type { FindingCode, Findings, RunReport } from './report.ts';
import type { TrustedKeys } from './trusted-keys.ts';

export interface RunContext {
  readonly findings: Findings;
  readonly keys: TrustedKeys;
  /** The times of the export. */
  readonly from: string | null;
  readonly to: string | null;
  /** Undefined if retention has dropped all blocks of the run. */
  readonly head: ExportLine['heads'][number] | undefined;
  /** Undefined if retention has dropped no block of the run. */
  readonly anchor: Anchor | undefined;
}

interface LastBlock {
  readonly line: BlockLine | HeadLine;
  readonly hash: string;
}

/** The chain of one run, block by block. */
export class RunCheck {
  /** How many of the given heads were found. */
  headsFound = 0;
  readonly #run: string;
  readonly #context: RunContext;
  readonly #hashes = new HashList();
  /** Hashes by number, which someone has kept. */
  readonly #kept = new Map<number, string>();
  /** An earlier block still had its call events. */
  #keepsCalls = false;
  #first: { readonly number: number; readonly at: string } | undefined;
  #last: LastBlock | undefined;

  constructor(run: string, context: RunContext) {
    this.#run = run;
    this.#context = context;
  }

  accept(line: BlockLine | HeadLine, hash: string): void {
    const last = this.#last;
    if (last === undefined) this.#checkFirst(line);
    else if (!this.#isAfter(line, last)) return;
    this.#checkSignature(line, hash);
    this.#checkDropped(line);
    this.#checkKept(line.number, hash);
    const seen = this.#hashes.get(line.number);
    if (seen !== undefined && seen !== hash) this.#contradicted(line.number);
    this.#hashes.set(line.number, hash);
    this.#first ??= { number: line.number, at: line.at };
    this.#last = { line, hash };
  }

  #checkFirst({ number, previous, at }: HeadLine): void {
    const { from, anchor } = this.#context;
    const dropped = anchor?.number ?? 0;
    if (number <= dropped) {
      this.#report('anchor', number, 'The block was dropped, as the anchor of its run says.');
    } else if (number === dropped + 1) {
      if (previous !== (anchor?.hash ?? null)) {
        this.#report('chain', number, 'The block does not follow what was dropped before it.');
      }
    } else if (from === null || at >= from) {
      this.#report('block_missing', dropped + 1, 'The block is missing: the run begins later.');
    }
  }

  /** False for a block that was there already, or should have been. */
  #isAfter({ number, previous, at }: HeadLine, { line, hash }: LastBlock): boolean {
    if (number <= line.number) {
      this.#report('block_order', number, `The block comes after block ${line.number}.`);
      return false;
    }
    if (number > line.number + 1) {
      const next = line.number + 1;
      this.#report('block_missing', next, `The block is missing: block ${number} is in its place.`);
    } else if (line.ends) {
      this.#report('end', number, 'The block comes after the end of its run.');
    } else if (previous !== hash) {
      this.#report('chain', number, 'The block does not follow the block before it.');
    } else if (at < line.at) {
      this.#report('chain', number, 'The block is older than the block before it.');
    }
    return true;
  }

  #checkSignature(line: HeadLine, hash: string): void {
    const { keys } = this.#context;
    const order = keys.orderOf(line.keyId);
    const previous = this.#last && keys.orderOf(this.#last.line.keyId);
    if (order === undefined) {
      const why = keys.whyNot(line.keyId);
      this.#report('key', line.number, `The block is signed with ${why}.`);
    } else if (!keys.hasSigned(hash, line)) {
      this.#report('signature', line.number, 'The block is changed: its signature is of another.');
    } else if (previous !== undefined && order < previous) {
      this.#report('key', line.number, 'The block is signed with a key that was replaced before.');
    }
  }

  /** Retention drops the oldest events first. */
  #checkDropped(line: BlockLine | HeadLine): void {
    if (!('id' in line) || line.calls === 0) return;
    if (!line.bodyDropped) this.#keepsCalls = true;
    else if (this.#keepsCalls) {
      this.#report('dropped', line.number, 'The block has lost events that older ones still have.');
    }
  }

  /** Another run has seen this block. */
  witness({ number, hash }: RunHead): void {
    if (number > this.#lastNumber) {
      this.#report('tail', number, 'The block is missing, which another run has seen.');
      return;
    }
    const known = this.#hashOf(number);
    if (known === undefined) this.#hashes.set(number, hash);
    else if (known !== hash) this.#contradicted(number);
  }

  get #lastNumber(): number {
    const { head, anchor } = this.#context;
    return Math.max(head?.number ?? 0, anchor?.number ?? 0);
  }

  #hashOf(number: number): string | undefined {
    const { anchor } = this.#context;
    return number === anchor?.number ? anchor.hash : this.#hashes.get(number);
  }

  #contradicted(number: number): void {
    this.#report('witness', number, 'Another run has seen another block with this number.');
  }

  /** Someone has kept this head. To be called before the blocks. */
  expect({ number, hash }: RunHead): void {
    this.#kept.set(number, hash);
    const { anchor } = this.#context;
    if (number === anchor?.number) this.#checkKept(number, anchor.hash);
  }

  #checkKept(number: number, hash: string): void {
    const kept = this.#kept.get(number);
    if (kept === undefined) return;
    this.#kept.delete(number);
    if (kept === hash) this.headsFound += 1;
    else this.#report('head', number, 'The block is not the one that the given head names.');
  }

  finish(): void {
    const { head } = this.#context;
    if (head !== undefined) this.#checkLast(head);
    for (const number of this.#kept.keys()) {
      this.#report('head', number, this.#whyNotKept(number));
    }
  }

  #whyNotKept(number: number): string {
    const { anchor } = this.#context;
    if (this.#lastNumber < number) {
      return 'The export ends before the block of the given head: it was made earlier, or the end of the run is missing.';
    }
    return number <= (anchor?.number ?? 0)
      ? 'Retention has dropped the block of the given head, so it cannot be compared.'
      : 'The export does not have the block of the given head: it is outside its times, or missing.';
  }

  #checkLast({ number, hash, node, state }: ExportLine['heads'][number]): void {
    const { to } = this.#context;
    const last = this.#last;
    if (last === undefined) {
      this.#report('run_missing', number, 'The export has no block of the run.');
    } else if (last.line.number < number) {
      const isBeyond = to !== null && last.line.at >= to;
      if (!isBeyond) this.#report('tail', last.line.number + 1, 'The block is missing at the end.');
    } else if (last.line.number > number || last.hash !== hash) {
      this.#report('tail', number, 'The block is not the last one of its run.');
    } else if (last.line.ends !== (state === 'ended') || last.line.node !== node) {
      this.#report('end', number, 'The run ended otherwise than the first line says.');
    }
  }

  /** Undefined for a run without blocks in the export. */
  get report(): RunReport | undefined {
    const { head } = this.#context;
    if (this.#last === undefined || this.#first === undefined || head === undefined) {
      return undefined;
    }
    const { node, number, at } = this.#last.line;
    const [run, first] = [this.#run, this.#first];
    return {
      ...{ run, node, first: first.number, last: number },
      ...{ from: first.at, to: at, end: head.state },
    };
  }

  #report(code: FindingCode, number: number, message: string): void {
    this.#context.findings.add(code, message, { run: this.#run, number });
  }
}
