import type { RunHead } from '../block.ts';
import { ExportCheck } from './export-check.ts';
import { UnreadableLines } from './read-lines.ts';
import { Findings, type Report } from './report.ts';

export interface VerifyOptions {
  /** Base64 SPKI of a key that is trusted, and so are the keys that it and they have signed. */
  readonly key?: string | undefined;
  /** Last blocks of runs, which were kept elsewhere. */
  readonly heads?: readonly RunHead[] | undefined;
}

/**
 * Says whether an export is whole and unchanged, in one pass. In memory are its runs, 32 bytes for each block, and the
 * events of one block.
 *
 * @param lines without their line breaks
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  { key, heads = [] }: VerifyOptions = {},
): Promise<Report> {
  const findings = new Findings();
  const check = new ExportCheck(findings, key, heads);
  try {
    for await (const line of lines) {
      check.accept(line);
      if (check.isRefused) break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableLines)) throw error;
    findings.add('line', error.message);
  }
  const seen = check.finish();
  const verdict = findings.all.length === 0 ? 'verified' : 'failed';
  return { verdict, findings: findings.all, ...seen, keyChecked: key !== undefined };
}
