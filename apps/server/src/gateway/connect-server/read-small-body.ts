import type { IncomingMessage } from 'node:http';
import { MessageIdScanner } from '../../mcp/message-id-scanner.ts';
import type { Inbound } from '../inbound.ts';
import { readWhole } from '../request-body.ts';
import type { ReadSoFar } from '../scan-message-ids.ts';

/** Bytes of a body that is parsed. Nothing that is answered here needs more. */
const MAX_BYTES = 64 * 1024;

/** Of a body without a declared length, so that one in tiny chunks takes no more memory than others. */
const MAX_CHUNKS = 256;

/** Milliseconds that a body without a declared length may pause: its client may itself be waiting. */
const MAX_PAUSE = 1_000;

export interface BodyReader {
  readonly whole: (body: Buffer) => void;
  /** The body is long, slow, empty or compressed. @param readSoFar undefined if nothing has been read. */
  readonly other: (readSoFar?: ReadSoFar) => void;
}

/** Reads a short body. The reader is called once, or never if the client leaves. */
export function readSmallBody(
  req: IncomingMessage,
  { contentLength, isChunked }: Inbound,
  reader: BodyReader,
): void {
  if (req.headers['content-encoding'] !== undefined) reader.other();
  else if (contentLength && contentLength <= MAX_BYTES) readWhole(req, contentLength, reader.whole);
  else if (isChunked) readChunked(req, reader);
  else reader.other();
}

function readChunked(req: IncomingMessage, { whole, other }: BodyReader): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => {
    clearTimeout(timer);
    req.off('data', onData).off('end', onEnd).off('close', stop);
  };
  const giveUp = (): void => {
    stop();
    const scanner = new MessageIdScanner();
    for (const chunk of chunks) scanner.feed(chunk);
    other({ scanner, size });
  };
  const onData = (chunk: Buffer): void => {
    timer.refresh();
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES || chunks.length > MAX_CHUNKS) giveUp();
  };
  const onEnd = (): void => {
    stop();
    whole(Buffer.concat(chunks, size));
  };
  const timer = setTimeout(giveUp, MAX_PAUSE);
  req.on('data', onData).on('end', onEnd).on('close', stop);
}
