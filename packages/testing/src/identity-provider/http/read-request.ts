import type { IncomingMessage } from 'node:http';
import type { ProviderEndpoint, ProviderRequest } from './provider-request.ts';

const LARGEST_BODY = 1024 * 1024;

/** A request. Its status is filled in when there is a response. */
export type OpenRequest = { -readonly [Key in keyof ProviderRequest]: ProviderRequest[Key] };

/**
 * Reads a request with its body.
 *
 * @throws Error if the body is larger than 1 MiB, or the client goes away
 */
export async function readRequest(
  message: IncomingMessage,
  endpoint: ProviderEndpoint,
): Promise<OpenRequest> {
  const at = Date.now();
  const { method = '', url: target = '', headers } = message;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const query = target.split('?').slice(1).join('?');
  return {
    endpoint,
    method,
    target,
    headers: { ...headers },
    query: new URLSearchParams(query),
    body,
    form: new URLSearchParams(isForm ? body : ''),
    at,
    status: undefined,
  };
}
