import type { IncomingMessage } from 'node:http';
import { type Asked, AskedScanner } from '../mcp/message-scanner.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { bodyTooLarge } from './problems.ts';

export interface AskedReaderLimits {
  /** Of the whole body. */
  readonly bytes: number;
  /** Milliseconds without a byte after which nothing more is waited for. */
  readonly silence: number;
}

/** What was read before. */
export interface ReadSoFar {
  readonly scanner: AskedScanner;
  readonly size: number;
}

/**
 * Reads a body for what it asks alone, and tells it once: as soon as that is settled, at the body's
 * end, or when the client goes silent, as it might be waiting for the answer. A body over the limit
 * is told as a problem. Keeps nothing of the body; what is left of it is not read here.
 */
export function readAsked(
  req: IncomingMessage,
  limits: AskedReaderLimits,
  done: (asked: Asked | ProblemError) => void,
  { scanner, size }: ReadSoFar = { scanner: new AskedScanner(), size: 0 },
): void {
  let total = size;
  const finish = (asked: Asked | ProblemError): void => {
    clearTimeout(timer);
    req.off('data', onData).off('end', onEnd).off('close', onStop);
    done(asked);
  };
  const onData = (chunk: Buffer): void => {
    timer.refresh();
    total += chunk.length;
    if (total > limits.bytes) {
      finish(bodyTooLarge(limits.bytes));
      return;
    }
    scanner.feed(chunk);
    if (scanner.isSettled) finish(scanner.asked(false));
  };
  const onEnd = (): void => finish(scanner.asked(true));
  const onStop = (): void => finish(scanner.asked(false));
  const timer = setTimeout(onStop, limits.silence);
  if (scanner.isSettled) onStop();
  else req.on('data', onData).on('end', onEnd).on('close', onStop);
}
