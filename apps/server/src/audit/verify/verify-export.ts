import { createHash } from 'node:crypto';
import { EXPORT_VERSION, endHashOf, endLineSchema, exportLineSchema } from '../export-lines.ts';
import { ExportBody, parsed, type Value } from './export-body.ts';
import { UnreadableLines } from './read-lines.ts';
import {
  Findings,
  type Report,
  reportOf,
  SEEN_NOTHING,
  type Seen,
  type VerifyOptions,
} from './report.ts';

/**
 * Says whether an export is whole and unchanged, in one pass. In memory are its runs, 32 bytes for each block, and the
 * events of one block.
 *
 * @param lines without their line breaks
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  options: VerifyOptions = {},
): Promise<Report> {
  const findings = new Findings();
  const check = new ExportCheck(findings, options);
  try {
    for await (const line of lines) {
      check.accept(line);
      if (check.isRefused) break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableLines)) throw error;
    findings.add('line', error.message);
  }
  return reportOf(findings, check.finish(), options);
}

/** Reads the lines of an export in their order. */
class ExportCheck {
  /** The first line is not that of an export that this program can read. */
  isRefused = false;
  readonly #findings: Findings;
  readonly #options: VerifyOptions;
  readonly #hash = createHash('sha256');
  #lines = 0;
  #body: ExportBody | undefined;
  #isEnded = false;

  constructor(findings: Findings, options: VerifyOptions) {
    this.#findings = findings;
    this.#options = options;
  }

  accept(line: string): void {
    this.#lines += 1;
    const value = parsed(line);
    if (this.#isEnded) this.#misread('comes after the end line');
    else if (this.#body === undefined) this.#open(value);
    else if (value?.type === 'end') this.#end(value, line, this.#body);
    else if (!isRead(value, this.#body)) this.#misread('cannot be read');
    if (!this.#isEnded) this.#hash.update(`${line}\n`);
  }

  #open(value: Value | undefined): void {
    const read = exportLineSchema.safeParse(value);
    this.isRefused = !read.success;
    if (read.success) {
      this.#body = new ExportBody(read.data, this.#findings, this.#options);
    } else if (value?.type === 'export' && value.version !== EXPORT_VERSION) {
      const message = `The export is of another version; this program reads version ${EXPORT_VERSION}.`;
      this.#findings.add('line', message);
    } else {
      this.#findings.add('line', 'The file does not begin as an export of the audit.');
    }
  }

  #end(value: Value, line: string, { keys, counts }: ExportBody): void {
    this.#isEnded = true;
    const read = endLineSchema.safeParse(value);
    // No hash covers this line: it is the one that the server prints, to the byte.
    if (!read.success || JSON.stringify(read.data) !== line) {
      this.#misread('is not an end line');
      return;
    }
    const end = read.data;
    if (end.hash !== this.#hash.digest('hex')) {
      this.#findings.add('file', 'The lines are not those that the end line was written for.');
    } else if (end.blocks !== counts.blocks || end.events !== counts.events) {
      this.#findings.add('file', 'The end line has other counts.');
    } else if (!keys.hasSigned(endHashOf(end), end)) {
      this.#findings.add('file', 'The end line is not signed with a trusted key.');
    }
  }

  /** To be called once, after the last line. */
  finish(): Seen {
    const seen = this.#body?.finish();
    if (!this.#isEnded && !this.isRefused) {
      this.#findings.add('cut', 'The export was cut off: it has no end line.');
    }
    return seen ?? SEEN_NOTHING;
  }

  #misread(what: string): void {
    this.#findings.add('line', `Line ${this.#lines} ${what}.`);
  }
}

function isRead(value: Value | undefined, body: ExportBody): boolean {
  if (value?.type === 'block') return body.acceptBlock(value);
  return value?.type === 'event' && body.acceptEvent(value) !== undefined;
}
