import type { Route } from '@gatehouse/contract/routes';
import { InvalidArgumentError } from '../errors/errors.ts';
import type { AttemptEvent } from '../options/hooks.ts';
import type { FetchOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { buildPath, buildQuery, type Query } from './url.ts';

/** Every per-call option; each method accepts those that have an effect on its route. */
export type CallOptions = RequestOptions & UpdateOptions;

/** What a method passes on: the template's parameters, the query or body, the caller's options. */
export interface AnyCall {
  readonly params: Readonly<Record<string, string>>;
  /** An object whose values are those of {@link Query}. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly options?: CallOptions | undefined;
}

/** A request that may be sent several times, each time the same. */
export interface PreparedRequest {
  /** Names the request in messages, without ids: `GET /integrations/:id`. */
  readonly label: string;
  /** What its attempts have in common. */
  readonly event: Omit<AttemptEvent, 'attempt'>;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body: unknown;
  /** The body as it is sent. */
  readonly text: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly options: CallOptions;
}

/** @throws InvalidArgumentError for a path parameter or a body that cannot be sent. */
export function prepareRequest(route: Route, call: AnyCall): PreparedRequest {
  const { query, body, options = {} } = call;
  const path = buildPath(route.path, call.params);
  return {
    label: `${route.method} ${route.path}`,
    event: { method: route.method, route: route.path, path },
    target: path + buildQuery({ ...query } as Query),
    body,
    text: serialize(body),
    idempotencyKey: idempotencyKeyOf(route, options.idempotencyKey),
    options,
  };
}

/**
 * The headers of a request, its token excepted. `change` may add to those of the caller; the
 * client's own are set after it.
 *
 * @throws InvalidArgumentError for a header that cannot be sent.
 */
export function buildHeaders(
  { options, text, idempotencyKey }: PreparedRequest,
  change: ((headers: Headers) => void) | undefined,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    setHeader(headers, name, value);
  }
  headers.delete('authorization');
  const setOwn = () => {
    headers.set('accept', 'application/json');
    setHeader(headers, 'idempotency-key', idempotencyKey);
    setHeader(headers, 'if-match', options.ifMatch);
    if (text !== undefined) headers.set('content-type', 'application/json');
  };
  setOwn();
  change?.(headers);
  setOwn();
  return headers;
}

/** What `fetch` is given. */
export function buildInit(
  { event, text, options }: PreparedRequest,
  headers: Headers,
  signal: AbortSignal,
  fetchOptions: FetchOptions | undefined,
): RequestInit {
  const own = {
    method: event.method,
    headers,
    body: text ?? null,
    signal,
    redirect: 'manual',
  } as const;
  return { ...fetchOptions, ...options.fetchOptions, ...own };
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

function serialize(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InvalidArgumentError('The body cannot be written as JSON.');
  }
}
