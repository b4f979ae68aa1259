import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** The client's address, computed as Express does: the last one in `X-Forwarded-For` that is no trusted proxy. */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, isTrusted);
}

/** An IPv6 network of 64 bits is one customer, who has all of its addresses; an IPv4 address is itself. */
export function addressBlockOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr
    .fromByteArray([...parsed.toByteArray().slice(0, 8), ...Array(8).fill(0)])
    .toString();
}
