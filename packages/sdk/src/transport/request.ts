import { InvalidArgumentError } from '../errors/errors.ts';
import type { AttemptEvent } from '../options/hooks.ts';
import type { FetchOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import { type ClientRoute, idempotencyKeyOf } from './idempotency.ts';
import { buildPath, buildQuery, type Query } from './url.ts';
import { userAgent } from './user-agent.ts';

const JSON_TYPE = 'application/json';

/** All options of a call. Each method accepts those that have an effect on its route. */
export type CallOptions = RequestOptions & UpdateOptions;

/** The arguments of a method: path parameters, query or body, and options. */
export interface AnyCall {
  readonly params: Readonly<Record<string, string>>;
  /** An object with the values of {@link Query}. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly options?: CallOptions | undefined;
}

/** A request that can be sent several times without change. */
export interface PreparedRequest {
  /** The name of the request in messages, without ids: `GET /integrations/:id`. */
  readonly label: string;
  /** The fields that are the same for all attempts. */
  readonly event: Omit<AttemptEvent, 'attempt'>;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body: unknown;
  /** The serialized body. */
  readonly text: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly options: CallOptions;
}

/** The name of a route in messages, without ids: `GET /integrations/:id`; or that of a request, with them. */
export function labelOf({ method, path }: Pick<AttemptEvent, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** @throws InvalidArgumentError for a path parameter or a body that cannot be sent. */
export function prepareRequest(route: ClientRoute, call: AnyCall): PreparedRequest {
  const { query, body, options = {} } = call;
  const path = buildPath(route.path, call.params);
  return {
    label: labelOf(route),
    event: { method: route.method, route: route.path, path },
    target: path + buildQuery({ ...query } as Query),
    body,
    text: serialize(body),
    idempotencyKey: idempotencyKeyOf(route, options.idempotencyKey),
    options,
  };
}

/**
 * The headers of a request, without its token. `change` may add headers; the client's own headers
 * are set again after it.
 *
 * @throws InvalidArgumentError for a header that cannot be sent.
 */
export function buildHeaders(
  { options, text, idempotencyKey }: PreparedRequest,
  defaults: Readonly<Record<string, string>> | undefined,
  change: ((headers: Headers) => void) | undefined,
): Headers {
  const headers = new Headers();
  const given = { ...userAgent(), ...defaults, ...options.headers };
  for (const [name, value] of Object.entries(given)) setHeader(headers, name, value);
  headers.delete('authorization');
  const setOwn = () => {
    setHeader(headers, 'accept', JSON_TYPE);
    setHeader(headers, 'idempotency-key', idempotencyKey);
    setHeader(headers, 'if-match', options.ifMatch);
    setHeader(headers, 'content-type', text && JSON_TYPE);
  };
  setOwn();
  change?.(headers);
  setOwn();
  return headers;
}

/** The options for `fetch`. */
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

/** The error of the platform is dropped, because it quotes the value. */
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
