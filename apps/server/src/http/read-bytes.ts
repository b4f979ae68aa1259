import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ProblemError } from '../platform/problem-error.ts';

/** What a body that cannot be read is refused with. */
export interface BodyRefusals {
  /** The body is larger than the limit. */
  readonly tooLarge: string;
  /** The body is compressed. */
  readonly compressed: string;
  /** The body ended before its declared length. */
  incomplete(): ProblemError;
}

/**
 * Reads a body to its end. Refuses one beyond the limit as soon as that is known; the parsers of Express
 * would first read the whole body, however long it is.
 *
 * @param limit bytes
 * @throws ProblemError `payload_too_large`, `unsupported_media_type`, or that of `incomplete`
 */
export async function readBytes(
  req: IncomingMessage,
  limit: number,
  refusals: BodyRefusals,
): Promise<Buffer> {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_media_type', refusals.compressed);
  }
  const length = req.headers['content-length'];
  try {
    return await getRawBody(req, { limit, ...(length === undefined ? {} : { length }) });
  } catch (error) {
    throw problemOf(error, refusals);
  }
}

/** The reader's messages quote the request, so only the `type` of its errors is used. */
function problemOf(error: unknown, refusals: BodyRefusals): unknown {
  switch (error instanceof Error && 'type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return new ProblemError('payload_too_large', refusals.tooLarge);
    case 'request.size.invalid':
    case 'request.aborted':
      return refusals.incomplete();
    default:
      return error;
  }
}
