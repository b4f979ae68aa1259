import { connect, type TLSSocket } from 'node:tls';
import { toConnectError } from './errors.ts';

/** Milliseconds for name resolution, TCP and TLS together. */
const TIMEOUT = 8_000;

/**
 * When the certificate of a server expires, for the operator's own URL: to no address is it denied.
 *
 * @throws EgressError also when the certificate is not trusted
 */
export function expiryOfCertificate({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port || 443), servername: host });
    const fail = (error: unknown): void => {
      socket.destroy();
      reject(toConnectError(error, true));
    };
    const timer = setTimeout(
      () => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      TIMEOUT,
    );
    socket.once('error', fail).once('close', () => clearTimeout(timer));
    socket.once('secureConnect', () => {
      // Nobody can rely on a time that cannot be read.
      resolve(expiryOf(socket) ?? new Date(0));
      socket.end();
    });
  });
}

/** When the certificate of the peer expires; undefined if it says no time. */
export function expiryOf(socket: TLSSocket): Date | undefined {
  const expiresAt = new Date(socket.getPeerCertificate().valid_to);
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt;
}
