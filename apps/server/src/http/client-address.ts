import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The client's address, computed as Express does: the last one in `X-Forwarded-For` that is no trusted proxy. */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, isTrusted);
}
