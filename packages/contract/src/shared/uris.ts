import * as z from 'zod';
import { limits } from './limits.ts';
import { atMost, isPrintable } from './text.ts';

/** RFC 3986 characters only, because a URL parser would rewrite any other. */
const URI_CHARACTERS = /^[!#-;=?-[\]_a-z~]+$/;
const SCHEME = /^([a-z][a-z0-9+.-]*):./i;
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/i;

/** Schemes of content or transports, never of an installed application. */
const NOT_PRIVATE_USE = new Set([
  'about',
  'blob',
  'data',
  'file',
  'ftp',
  'javascript',
  'vbscript',
  'ws',
  'wss',
]);

const LONG_HOST = `Must not have a host of more than ${limits.authority} characters.`;

const isUriText = (uri: string): boolean => URI_CHARACTERS.test(uri);
const scheme = (uri: string): string | undefined => SCHEME.exec(uri)?.[1]?.toLowerCase();
/** No name that long can be resolved, and converting it (UTS 46) takes long. */
const hasLongHost = (uri: string): boolean =>
  (AUTHORITY.exec(uri)?.[1]?.length ?? 0) > limits.authority;
const hasUserinfo = (uri: string): boolean => AUTHORITY.exec(uri)?.[1]?.includes('@') ?? false;

/** Why a browser cannot be sent to an http(s) URL, or `undefined`. The URL is stored as given. */
function browserUrlProblem(url: string): string | undefined {
  if (!isPrintable(url) || /[\s\\]/.test(url)) return 'Must not contain whitespace or backslashes.';
  if (hasLongHost(url)) return LONG_HOST;
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url))
    return 'Must be an http or https URL.';
  if (hasUserinfo(url)) return 'Must not contain a user name or password.';
  return undefined;
}

/** Why an http(s) URL cannot be called, or `undefined`. */
function httpUrlProblem(url: string): string | undefined {
  return browserUrlProblem(url) ?? (url.includes('#') ? 'Must not contain a fragment.' : undefined);
}

/** RFC 8414 section 2: an issuer has neither query nor fragment. */
function issuerProblem(url: string): string | undefined {
  return httpUrlProblem(url) ?? (url.includes('?') ? 'Must not contain a query.' : undefined);
}

/** RFC 8707 section 2: an absolute URI without fragment. */
function resourceProblem(uri: string): string | undefined {
  if (!isUriText(uri)) return 'Must contain only URI characters.';
  if (hasLongHost(uri)) return LONG_HOST;
  if (!scheme(uri) || !URL.canParse(uri)) return 'Must be an absolute URI.';
  if (uri.includes('#')) return 'Must not contain a fragment.';
  if (hasUserinfo(uri)) return 'Must not contain a user name or password.';
  return undefined;
}

function redirectUriProblem(uri: string): string | undefined {
  const name = scheme(uri);
  if (!isUriText(uri)) return 'Must contain only URI characters.';
  if (hasLongHost(uri)) return LONG_HOST;
  if (!name || !URL.canParse(uri)) return 'Must be an absolute URI.';
  if (uri.includes('#')) return 'Must not contain a fragment.';
  if (uri.includes('*')) return 'Must not contain a wildcard.';
  if (NOT_PRIVATE_USE.has(name)) return 'Must not use this scheme.';
  if (hasUserinfo(uri)) return 'Must not contain a user name or password.';
  if (name === 'https' && !/^https:\/\/[^/?]/i.test(uri)) return 'Must name a host.';
  if (name === 'http' && !LOOPBACK.test(uri)) {
    return 'Plain http is allowed on localhost, 127.0.0.1 and [::1] only.';
  }
  return undefined;
}

type FindProblem = (uri: string) => string | undefined;

function checked(text: z.ZodString, problem: FindProblem) {
  return atMost(text, limits.url).superRefine((uri, context) => {
    const message = problem(uri);
    if (message) context.addIssue({ code: 'custom', message });
  });
}

function uriSchema(problem: FindProblem) {
  return checked(z.string().min(1), problem).meta({ format: 'uri' });
}

/** The endpoint of an integration: http or https, a query is allowed, no userinfo, no fragment. */
export const httpUrlSchema = uriSchema(httpUrlProblem);

/** Where a browser is sent back to: http or https, a query and a fragment are allowed, no userinfo. */
export const returnUrlSchema = uriSchema(browserUrlProblem);

/** An OAuth issuer (RFC 8414): http or https, no userinfo, query or fragment. */
export const issuerSchema = uriSchema(issuerProblem);

/** A resource indicator (RFC 8707). */
export const resourceUriSchema = uriSchema(resourceProblem);

/** The resource indicator to send to a provider; empty to omit it, for providers that refuse it. */
export const sentResourceSchema = checked(z.string(), (uri) =>
  uri === '' ? undefined : resourceProblem(uri),
).describe('A resource indicator (RFC 8707). Default: that of the resource. Empty: not sent.');

/** A redirect URI: https, http on a loopback name, or a private-use scheme (RFC 8252 section 7). */
export const redirectUriSchema = uriSchema(redirectUriProblem);
