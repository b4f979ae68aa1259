import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ProblemError } from '../platform/problem-error.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [address: Address, prefixLength: number];

/** Which addresses the service may connect to. */
export interface AddressPolicy {
  /** Public, or in one of the operator's allowed networks. False for text that is not an address. */
  isAllowed(address: string): boolean;
  /** In one of the operator's allowed networks. Only these may receive credentials over plain http. */
  isListed(address: string): boolean;
}

/** The platform service of Azure, an ordinary public address to ipaddr.js. */
const AZURE_PLATFORM = '168.63.129.16';

/** RFC 4291 §2.4: the only global unicast space in use. Excludes IPv4-compatible `::a.b.c.d` and NAT64. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * @param allowedNetworks CIDRs or single addresses to allow in addition to public addresses.
 * @throws TypeError when an item is neither.
 */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const networks = allowedNetworks.map(parseNetwork);
  const isListedAddress = (address: Address) =>
    networks.some((network) => contains(network, address));
  return {
    isAllowed(text) {
      const address = parseAddress(text);
      return address !== undefined && (isPublic(address) || isListedAddress(address));
    },
    isListed(text) {
      const address = parseAddress(text);
      return address !== undefined && isListedAddress(address);
    },
  };
}

/** Converts an IPv4-mapped IPv6 address to the IPv4 address that it reaches. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST_V6);
  return address.toString() !== AZURE_PLATFORM;
}

function contains([network, prefixLength]: Network, address: Address): boolean {
  if (network instanceof ipaddr.IPv4 && address instanceof ipaddr.IPv4) {
    return address.match(network, prefixLength);
  }
  if (network instanceof ipaddr.IPv6 && address instanceof ipaddr.IPv6) {
    return address.match(network, prefixLength);
  }
  return false;
}

function parseNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return unmapped(ipaddr.parseCIDR(text));
  const address = parseAddress(text);
  if (address === undefined) {
    throw new TypeError('An allowed network must be an address or a CIDR.');
  }
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
}

function unmapped([address, prefixLength]: [Address, number]): Network {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefixLength >= 96) {
    return [address.toIPv4Address(), prefixLength - 96];
  }
  return [address, prefixLength];
}

/** Credentials of a request go over plain http only to allowed networks. */
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
