import {
  isJsonContentType,
  JsonBodyError,
  limits,
  parseJsonBody,
  refusalTexts,
} from '@gatehouse/contract';
import { Refusal } from './refusal.ts';

/**
 * Reads a JSON body; an empty one is `undefined`, whatever its type.
 *
 * @throws Refusal `unsupported_media_type`, `payload_too_large`, `malformed_json`,
 *   `validation_failed`
 */
export async function readBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  if (!isJsonContentType(request.headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', refusalTexts.bodyCompressed);
  }
  if (bytes.byteLength > limits.bodyBytes) {
    throw new Refusal('payload_too_large', 'The body is larger than 1 MiB.');
  }
  try {
    return parseJsonBody(new Uint8Array(bytes));
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    if (error.reason === 'malformed') {
      throw new Refusal('malformed_json', 'The body is not well-formed JSON.');
    }
    throw new Refusal('validation_failed', 'The body has too much in it.', {
      errors: [{ pointer: '', code: 'too_big', message: error.message }],
    });
  }
}
