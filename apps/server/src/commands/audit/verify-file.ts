import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { publicKeySchema } from '../../audit/keys.ts';
import { readLines } from '../../audit/verify/read-lines.ts';
import type { Report, VerifyOptions } from '../../audit/verify/report.ts';
import { verifyExport } from '../../audit/verify/verify-export.ts';
import { CommandError, EXIT } from '../../control/command-error.ts';

const NO_KEY =
  'What --key names is not a public key, as `gatehouse audit key` prints it, or a file with one.';

/**
 * @param given base64 SPKI, or the path of a file that has it
 * @throws CommandError
 */
export async function readKey(given: string): Promise<string> {
  if (publicKeySchema.safeParse(given).success) return given;
  const text = await withoutFileErrors(given, readFile(given, 'utf8'), NO_KEY);
  if (publicKeySchema.safeParse(text.trim()).success) return text.trim();
  throw new CommandError(NO_KEY, EXIT.usage);
}

/** @throws CommandError */
export function verifyFile(path: string, options: VerifyOptions): Promise<Report> {
  return withoutFileErrors(path, verifyExport(readLines(createReadStream(path)), options));
}

async function withoutFileErrors<T>(path: string, work: Promise<T>, advice = ''): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new CommandError(
      `${path} cannot be read (${error.code}). ${advice}`.trim(),
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}
