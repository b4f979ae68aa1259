import type { Response } from 'express';

/** Milliseconds between the two events. */
const PAUSE = 1_000;

/** Sends two events with a pause between them, so that `doctor` sees whether a proxy keeps the first one back. */
export function sendTwoEvents(res: Response): void {
  res.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/event-stream',
    // As the streams of the gateway have it.
    'X-Accel-Buffering': 'no',
  });
  res.write('data: first\n\n');
  const timer = setTimeout(() => res.end('data: last\n\n'), PAUSE);
  res.once('close', () => clearTimeout(timer));
}
