import type { RunHead } from '../block.ts';
import type { ExportLine } from '../export-lines.ts';

export interface VerifyOptions {
  /** Base64 SPKI of a key that is trusted, and so are the keys that it and they have signed. */
  readonly key?: string | undefined;
  /** Last blocks of runs, which were kept elsewhere. */
  readonly heads?: readonly RunHead[] | undefined;
}

/** What can be wrong with an export. */
export type FindingCode =
  /** A line cannot be read, or is in the wrong place. */
  | 'line'
  /** The end line is missing. */
  | 'cut'
  /** The end line is not that of the lines before it. */
  | 'file'
  /** A key is not signed by its predecessor, not reached from the trusted one, or was replaced before. */
  | 'key'
  | 'signature'
  | 'run_missing'
  | 'block_missing'
  | 'block_order'
  | 'block_foreign'
  /** A block does not name the block before it. */
  | 'chain'
  /** What a block says about its organization's events is missing or changed. */
  | 'content'
  | 'event_missing'
  | 'event_order'
  | 'event_changed'
  | 'event_foreign'
  /** A column of the database is not what the event or block in its row says. */
  | 'column'
  /** A call event of a block is changed; which one cannot be known. */
  | 'calls_changed'
  /** A block kept its call events, and a later one of its run did not. */
  | 'dropped'
  /** Another run has seen another block with this number. */
  | 'witness'
  /** Another run, or the first line, has seen more blocks. */
  | 'tail'
  | 'anchor'
  /** A run goes on after its end, or ended otherwise than the first line says. */
  | 'end'
  /** A head that was kept is another one, or cannot be compared. */
  | 'head';

export interface Finding {
  readonly code: FindingCode;
  readonly run?: string;
  /** Of the block. */
  readonly number?: number;
  readonly eventId?: string;
  /** One or two sentences. */
  readonly message: string;
}

export interface RunReport {
  readonly run: string;
  readonly node: string;
  /** Numbers of blocks in the export. */
  readonly first: number;
  readonly last: number;
  /** When the first and the last of them were made. */
  readonly from: string;
  readonly to: string;
  readonly end: ExportLine['heads'][number]['state'];
}

/** What an export has. */
export interface Seen {
  /** What it says it is; null if it does not begin as an export. */
  readonly export: Pick<ExportLine, 'at' | 'organizationId' | 'from' | 'to'> | null;
  readonly runs: readonly RunReport[];
  readonly blocks: number;
  /** Call events. */
  readonly calls: number;
  /** Events of both kinds. */
  readonly events: number;
  /** Until when retention has dropped events of each kind, by the times of their blocks; null if it has not. */
  readonly droppedUntil: { readonly calls: string | null; readonly management: string | null };
  /** How many of the given heads are in the export. */
  readonly headsChecked: number;
}

export const SEEN_NOTHING: Seen = {
  export: null,
  runs: [],
  blocks: 0,
  calls: 0,
  events: 0,
  droppedUntil: { calls: null, management: null },
  headsChecked: 0,
};

export interface Report extends Seen {
  readonly verdict: 'verified' | 'failed';
  /** The first one of each run, and the first of each kind that concerns no run. */
  readonly findings: readonly Finding[];
  /** Whether a key was given. Without one, the export is compared with its own keys only. */
  readonly keyChecked: boolean;
}

/** A file can have any number of faults; a person reads the first ones. */
const MAX_FINDINGS = 1_000;

/** Keeps the first finding of each run, and of each kind that concerns no run. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #known = new Set<string>();

  add(code: FindingCode, message: string, where: Omit<Finding, 'code' | 'message'> = {}): void {
    const about = where.run ?? code;
    if (this.#known.has(about) || this.all.length === MAX_FINDINGS) return;
    this.#known.add(about);
    this.all.push({ code, ...where, message });
  }
}

export function reportOf({ all }: Findings, seen: Seen, { key }: VerifyOptions): Report {
  const verdict = all.length === 0 ? 'verified' : 'failed';
  return { verdict, findings: all, ...seen, keyChecked: key !== undefined };
}
