import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Everything that a process wrote. */
export interface CapturedOutput {
  /** Standard output so far. */
  readonly stdout: string;
  /** Standard error so far. */
  readonly stderr: string;
  /** Whether `text` occurs in either. */
  hasWritten(text: string): boolean;
}

/** Reads both streams to their end. Calls `onLine` for each line of either. */
export function captureOutput(
  streams: { readonly stdout: Readable; readonly stderr: Readable },
  onLine: (line: string) => void,
): CapturedOutput {
  const stdout = collect(streams.stdout, onLine);
  const stderr = collect(streams.stderr, onLine);
  return {
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    hasWritten: (text) => stdout().includes(text) || stderr().includes(text),
  };
}

function collect(stream: Readable, onLine: (line: string) => void): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  createInterface({ input: stream }).on('line', onLine);
  return () => Buffer.concat(chunks).toString('utf8');
}
