import { limits } from '@gatehouse/contract';
import { Refusal } from './refusal.ts';

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]+\+json)\s*(?:;|$)/i;
const CHARSET = /;\s*charset="?([^\s;"]+)/i;

/**
 * Reads a JSON body; an empty one is `undefined`, whatever its type.
 *
 * @throws Refusal `unsupported_media_type`, `payload_too_large`, `malformed_json`
 */
export async function readBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  if (!isJson(request.headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Send the body in UTF-8, without compression.');
  }
  if (bytes.byteLength > limits.bodyBytes) {
    throw new Refusal('payload_too_large', 'The body is larger than 1 MiB.');
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal('malformed_json', 'The body is not well-formed JSON.');
  }
}

/** JSON is UTF-8 (RFC 8259 section 8.1). */
function isJson(type: string): boolean {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  return JSON_TYPE.test(type) && charset.toLowerCase() === 'utf-8';
}
