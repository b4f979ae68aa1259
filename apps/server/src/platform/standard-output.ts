import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { OperatorError } from './operator-error.ts';

const STDOUT = 1;

/** How often a full pipe is retried, and the milliseconds in between. */
const ATTEMPTS = 100;
const PAUSE = 10;

/**
 * Writes the log to standard output. A line that cannot be written, because the disk is full or the
 * reader has gone, is dropped: pino's own destination would end the process, and then retry the rest
 * forever (sonic-boom 4).
 */
export function standardOutput(write: (line: Buffer) => number = writeOnce): DestinationStream {
  let isCut = false;
  return {
    write(line) {
      try {
        // After a truncated line, the next one begins on a new line.
        writeWhole(Buffer.from(isCut ? `\n${line}` : line), write);
        isCut = false;
      } catch {
        isCut = true;
      }
    },
  };
}

const CANNOT_WRITE =
  'Cannot write to standard output: the reader has gone, or the disk is full. Gatehouse shows the first access token there. ' +
  'Give the process one that can be written, and start again.';

/** Writes text to standard output at once. @throws OperatorError if it cannot be written */
export function writeToStandardOutput(text: string): void {
  try {
    writeWhole(Buffer.from(text), writeOnce);
  } catch {
    throw new OperatorError(CANNOT_WRITE);
  }
}

function writeWhole(bytes: Buffer, write: (bytes: Buffer) => number): void {
  let failures = 0;
  for (let from = 0; from < bytes.length; ) {
    try {
      from += write(bytes.subarray(from));
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      failures += 1;
      if (!isFull || failures >= ATTEMPTS) throw error;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

function writeOnce(bytes: Buffer): number {
  return writeSync(STDOUT, bytes);
}
