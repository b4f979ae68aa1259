import { ExportCheck } from './export-check.ts';
import { UnreadableLines } from './read-lines.ts';
import { Findings, type Report, reportOf, type VerifyOptions } from './report.ts';

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
