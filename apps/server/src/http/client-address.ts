import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The client's address: the last one of `X-Forwarded-For` that is not a trusted proxy, as Express has it. */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, isTrusted);
}
