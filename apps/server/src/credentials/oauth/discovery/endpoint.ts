import { limits } from '@gatehouse/contract';
import { UpstreamOauthError } from '../upstream-error.ts';

/**
 * A published http(s) URL, without userinfo and fragment. Plain http is only for the issuer's host,
 * where the egress policy already allowed it.
 *
 * @throws UpstreamOauthError `metadata_invalid`, `insecure_endpoint`
 */
export function requireEndpoint(value: unknown, issuer: string): string {
  const url = parseHttpUrl(value);
  if (url === undefined) throw new UpstreamOauthError('metadata_invalid');
  const { protocol, hostname } = new URL(issuer);
  const isAllowed =
    url.protocol === 'https:' || (protocol === 'http:' && url.hostname === hostname);
  if (!isAllowed) throw new UpstreamOauthError('insecure_endpoint');
  return url.href;
}

/** An optional endpoint; undefined if it cannot be used. */
export function findEndpoint(value: unknown, issuer: string): string | undefined {
  try {
    return requireEndpoint(value, issuer);
  } catch {
    return undefined;
  }
}

/** Undefined if it is not an http(s) URL, is too long, or has userinfo or a fragment. */
export function parseHttpUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || value.length > limits.url || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  const isPlain = url.username === '' && url.password === '' && !value.includes('#');
  return isHttp && isPlain ? url : undefined;
}
