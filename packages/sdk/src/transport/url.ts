import { InvalidArgumentError } from '../errors.ts';

const API_PREFIX = '/api/v1';

type PathParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParamName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path template: `/applications/:id` needs `{ id: string }`. */
export type PathParams<Path extends string> = Readonly<Record<PathParamName<Path>, string>>;

/** Query parameters; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The base URL without a trailing slash, ending in `/api/v1`, which is appended when missing.
 *
 * @throws InvalidArgumentError unless it is an http(s) URL without userinfo, query and fragment.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new InvalidArgumentError('baseUrl is not an absolute URL.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InvalidArgumentError('baseUrl must begin with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('baseUrl must not contain a user name or a password.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('baseUrl must not contain a query or a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith(API_PREFIX) ? path : path + API_PREFIX}`;
}

/**
 * Fills a path template with percent-encoded parameters.
 *
 * @throws InvalidArgumentError for an empty parameter, whose segment would vanish, and for `.` and
 * `..`, which URL parsers resolve even though no character of theirs needs encoding.
 */
export function buildPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(name, params[name]));
}

/** `?a=1&b=2`, or the empty string when no parameter has a value. */
export function buildQuery(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new InvalidArgumentError(`The path parameter "${name}" must be a non-empty string.`);
  }
  if (value === '.' || value === '..') {
    throw new InvalidArgumentError(`The path parameter "${name}" must not be "." or "..".`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgumentError(`The path parameter "${name}" is not well-formed Unicode.`);
  }
}
