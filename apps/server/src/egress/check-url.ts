import { isIP } from 'node:net';
import { ProblemError } from '../platform/problem-error.ts';
import type { AddressPolicy } from './addresses.ts';

/** Whether a request carries credentials, which go over plain http only to allowed networks. */
export type CredentialUse = 'credentials' | 'nothing';

const LOCAL_NAME = /^(?:.+\.)?(?:localhost|localhost\.localdomain)$|^ip6-(?:localhost|loopback)$/;

/**
 * Denies a URL if its host is a literal address or a localhost name that the policy does not allow.
 * Other names are checked at connection time, by the addresses they resolve to then.
 *
 * @throws ProblemError `egress_denied`.
 */
export function checkUrl(url: string | URL, carries: CredentialUse, policy: AddressPolicy): void {
  const parsed = typeof url === 'string' ? parse(url) : url;
  const isPlain = parsed.protocol === 'http:';
  if (!isPlain && parsed.protocol !== 'https:') throw denied('The URL must use http or https.');
  const addresses = literalAddresses(parsed.hostname);
  if (addresses === undefined) return;
  if (!addresses.some((address) => policy.isAllowed(address))) {
    throw denied(
      'The URL names an address that is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
    );
  }
  if (!isPlain || carries === 'nothing') return;
  if (!addresses.some((address) => policy.isListed(address))) {
    throw denied(
      'Credentials travel over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS. Use https.',
    );
  }
}

/** The addresses of a host that needs no DNS query; `undefined` for an ordinary name. */
function literalAddresses(hostname: string): readonly string[] | undefined {
  // The URL parser has already converted decimal, octal, hexadecimal and full-width forms to dotted ones.
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (isIP(host) !== 0) return [host];
  return LOCAL_NAME.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

function parse(url: string): URL {
  if (!URL.canParse(url)) throw denied('The URL is not valid.');
  return new URL(url);
}

function denied(detail: string): ProblemError {
  return new ProblemError('egress_denied', detail);
}
