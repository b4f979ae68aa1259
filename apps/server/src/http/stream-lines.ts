import { finished, Readable } from 'node:stream';
import type { Response } from 'express';

/** What writes the lines of the log. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

export interface Streamed {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Called when the response is over. */
  end(): void;
}

/**
 * The body of a response that is lines of JSON, sent as they are made. When one cannot be made, the response is cut off.
 * ts-rest pipes a stream, which its types do not know.
 */
export function streamLines(res: Response, { chunks, end }: Streamed, log: ErrorLog): string {
  res.setHeader('Content-Type', 'text/x-ndjson');
  const body = Readable.from(chunks, { objectMode: false });
  body.on('error', (error) => {
    log.error({ err: error }, 'a response was cut off');
    res.destroy();
  });
  // Also if the client has left already.
  finished(res, () => {
    body.destroy();
    end();
  });
  return body as unknown as string;
}
