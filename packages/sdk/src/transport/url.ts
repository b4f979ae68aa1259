import { InvalidArgumentError } from '../errors/errors.ts';

const API_PREFIX = '/api/v1';

type PathParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParamName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path template: `/applications/:id` needs `{ id: string }`. */
export type PathParams<Path extends string> = Readonly<Record<PathParamName<Path>, string>>;

/** Query parameters. Those that are `undefined` are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The base URL without a trailing slash, ending in `/api/v1`, which is appended when missing.
 *
 * @throws InvalidArgumentError unless it is an http(s) URL without userinfo, query and fragment.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  const isClean = url && !(url.username + url.password + url.search + url.hash);
  if (!isClean || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError(
      'baseUrl must be an http(s) URL without user name, password, query and fragment.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith(API_PREFIX) ? path : path + API_PREFIX}`;
}

/**
 * Fills a path template with percent-encoded parameters.
 *
 * @throws InvalidArgumentError for an empty parameter, which would remove its segment, and for `.`
 * and `..`, which URL parsers resolve even when they are encoded.
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
  return text && `?${text}`;
}

/** The error of the platform is dropped, because it quotes the URL. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function encodeSegment(name: string, value: unknown): string {
  try {
    if (typeof value === 'string' && !/^\.?\.?$/.test(value)) return encodeURIComponent(value);
  } catch {
    // A lone surrogate cannot be encoded.
  }
  throw new InvalidArgumentError(
    `The path parameter "${name}" must be non-empty text other than "." and "..".`,
  );
}
