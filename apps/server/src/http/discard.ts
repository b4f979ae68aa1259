import type { Readable } from 'node:stream';

/** How much is read and thrown away, in bytes and milliseconds. */
export interface DiscardLimits {
  readonly bytes: number;
  readonly time: number;
}

/** Throws away what still arrives, until the stream closes. @param onLimit called beyond the limits. */
export function discard(
  stream: Readable,
  { bytes, time }: DiscardLimits,
  onLimit: () => void,
): void {
  const timer = setTimeout(onLimit, time);
  let left = bytes;
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) onLimit();
  });
  stream.once('close', () => clearTimeout(timer));
  stream.resume();
}
