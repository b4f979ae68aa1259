import type { IncomingMessage } from 'node:http';
import { MessageIdScanner, type MessageIds } from '../mcp/message-id-scanner.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { bodyTooLarge } from './problems.ts';

export interface ScanLimits {
  /** Of the whole body. */
  readonly bytes: number;
  /** Milliseconds without a byte after which reading stops. */
  readonly silence: number;
}

/** The part of the body that has been read already. */
export interface ReadSoFar {
  readonly scanner: MessageIdScanner;
  readonly size: number;
}

/**
 * Reads a body only for its message ids, without keeping it. Calls `done` once: as soon as the ids are
 * settled, when the body ends, or when the client sends nothing for a while, since it may be waiting
 * for the response. A body over the limit gives a problem. The rest of the body is left unread.
 */
export function scanMessageIds(
  req: IncomingMessage,
  limits: ScanLimits,
  done: (ids: MessageIds | ProblemError) => void,
  { scanner, size }: ReadSoFar = { scanner: new MessageIdScanner(), size: 0 },
): void {
  let total = size;
  const finish = (ids: MessageIds | ProblemError): void => {
    clearTimeout(timer);
    req.off('data', onData).off('end', onEnd).off('close', onStop);
    done(ids);
  };
  const onData = (chunk: Buffer): void => {
    timer.refresh();
    total += chunk.length;
    if (total > limits.bytes) {
      finish(bodyTooLarge(limits.bytes));
      return;
    }
    scanner.feed(chunk);
    if (scanner.isSettled) finish(scanner.messageIds(false));
  };
  const onEnd = (): void => finish(scanner.messageIds(true));
  const onStop = (): void => finish(scanner.messageIds(false));
  const timer = setTimeout(onStop, limits.silence);
  if (scanner.isSettled) onStop();
  else req.on('data', onData).on('end', onEnd).on('close', onStop).resume();
}
