import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** The client's address, computed as Express does: the last one in `X-Forwarded-For` that is no trusted proxy. */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, isTrusted);
}

/** An IPv6 network of 64 bits is one customer, who has all of its addresses; an IPv4 address is itself. */
export function addressBlockOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : firstBytesOf(parsed, 8);
}

/** The network that an address block is mostly handed out with: of IPv6 48 bits, of IPv4 24. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return `${firstBytesOf(parsed, parsed.kind() === 'ipv4' ? 3 : 6)} network`;
}

function firstBytesOf(address: ipaddr.IPv4 | ipaddr.IPv6, count: number): string {
  const bytes = address.toByteArray();
  return ipaddr.fromByteArray(bytes.fill(0, count)).toString();
}
