import { InvalidArgumentError } from '../errors.ts';
import type { RequestOptions, UpdateOptions } from '../options.ts';

/** Every per-call option; each method accepts those that have an effect on its route. */
export type CallOptions = RequestOptions & UpdateOptions;

/** The parts of a request that come from the call. */
export interface RequestParts {
  readonly method: string;
  readonly accessToken: string;
  readonly body: unknown;
  readonly options: CallOptions;
}

/**
 * What `fetch` is given, the signal excepted.
 *
 * @throws InvalidArgumentError for a header that cannot be sent and a body that is not JSON.
 */
export function buildRequest({ method, accessToken, body, options }: RequestParts): RequestInit {
  const headers = buildHeaders(options.headers);
  headers.set('accept', 'application/json');
  headers.set('authorization', `Bearer ${accessToken}`);
  setHeader(headers, 'idempotency-key', options.idempotencyKey);
  setHeader(headers, 'if-match', options.ifMatch);
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return init;
  headers.set('content-type', 'application/json');
  return { ...init, body: serialize(body) };
}

function buildHeaders(entries: Readonly<Record<string, string>> = {}): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(entries)) setHeader(headers, name, value);
  return headers;
}

/** The platform's own error is dropped: it quotes the value. */
function setHeader(headers: Headers, name: string, value: string | undefined): void {
  if (value === undefined) return;
  try {
    headers.set(name, value);
  } catch {
    throw new InvalidArgumentError(`The header "${name}" has a name or value that cannot be sent.`);
  }
}

function serialize(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InvalidArgumentError('The body cannot be written as JSON.');
  }
}
