import { closeSync, openSync, readSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Far more than the longest list of keys, in bytes. */
const MAX_BYTES = 64 * 1024;

/** A secret, or the line that says why it cannot be read. */
export type SecretText = { readonly text: string | undefined } | { readonly wrong: string };

/** The variable that names a file with the value of a secret setting. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * The text of a secret setting: of its variable, or of the file that the variable with `_FILE` after it
 * names. Spaces and line breaks around it do not count. Never quotes the value or the path.
 */
export function readSecret(
  name: string,
  environment: Environment,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean | undefined } = {},
): SecretText {
  const text = environment[name]?.trim() || undefined;
  const path = environment[fileVariable(name)]?.trim() || undefined;
  if (path === undefined) return { text };
  if (text !== undefined) return { wrong: `${name}: set it or ${fileVariable(name)}, not both.` };
  try {
    const content = readStart(path).trim();
    if (content !== '') return { text: content };
    return mayBeEmpty ? { text } : { wrong: `${fileVariable(name)}: the file is empty.` };
  } catch (error) {
    return { wrong: `${fileVariable(name)}: the file cannot be read (${reasonOf(error)}).` };
  }
}

/** Refuses a pipe or device, which could be read forever. */
function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > MAX_BYTES) throw Object.assign(new Error(), { code: 'it is over 64 KiB' });
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
