import { RawRequestError } from './raw-request-error.ts';

const API_PREFIX = '/api/v1';

/** A lone surrogate cannot be encoded. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The URL of a route: base URL, path with its parameters percent-encoded, query.
 *
 * @throws RawRequestError `invalid_argument`
 */
export function rawUrl(
  baseUrl: string,
  path: string,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(name, params[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `${apiBase(baseUrl)}${filled}${search.size > 0 ? `?${search}` : ''}`;
}

/** Messages never quote the URL, which may contain a password. */
function apiBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isClean = url && !(url.username + url.password + url.search + url.hash);
  if (!isClean || !/^https?:$/.test(url.protocol)) {
    throw new RawRequestError(
      'invalid_argument',
      'baseUrl must be an http(s) URL without user name, password, query and fragment.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith(API_PREFIX) ? path : path + API_PREFIX}`;
}

/** An empty segment would be lost from the path, and `.` and `..` would shorten it. */
function encodeSegment(name: string, value: unknown): string {
  const isText = typeof value === 'string' && !LONE_SURROGATE.test(value);
  if (isText && !/^\.?\.?$/.test(value)) return encodeURIComponent(value);
  throw new RawRequestError(
    'invalid_argument',
    `The path parameter "${name}" must be text other than "." and "..".`,
  );
}
