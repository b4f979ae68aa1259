import { isIP } from 'node:net';
import { ProblemError } from '../platform/problem-error.ts';
import type { AddressPolicy } from './addresses.ts';

/** What a call takes along; credentials go over plain http only to networks the operator listed. */
export type Carrying = 'credentials' | 'nothing';

const LOCAL_NAME = /^(?:.+\.)?(?:localhost|localhost\.localdomain)$|^ip6-(?:localhost|loopback)$/;

/**
 * Refuses a URL whose host is a literal address or localhost name outside the policy. Other names
 * are judged when they are dialled, by the addresses they have then.
 *
 * @throws ProblemError `egress_denied`.
 */
export function checkUrl(url: string | URL, carrying: Carrying, policy: AddressPolicy): void {
  const parsed = typeof url === 'string' ? parse(url) : url;
  const isPlain = parsed.protocol === 'http:';
  if (!isPlain && parsed.protocol !== 'https:')
    throw denied('Only http and https URLs are called.');
  const addresses = literalAddresses(parsed.hostname);
  if (addresses === undefined) return;
  if (!addresses.some((address) => policy.isAllowed(address))) {
    throw denied(
      'The URL names an address that is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
    );
  }
  if (!isPlain || carrying === 'nothing') return;
  if (!addresses.some((address) => policy.isListed(address))) {
    throw denied(
      'Credentials travel over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS. Use https.',
    );
  }
}

/** The addresses a host stands for without asking the DNS; `undefined` for an ordinary name. */
function literalAddresses(hostname: string): readonly string[] | undefined {
  // The URL parser has made decimal, octal, hexadecimal and full-width forms into dotted ones.
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (isIP(host) !== 0) return [host];
  return LOCAL_NAME.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

function parse(url: string): URL {
  if (!URL.canParse(url)) throw denied('The URL cannot be parsed.');
  return new URL(url);
}

function denied(detail: string): ProblemError {
  return new ProblemError('egress_denied', detail);
}
