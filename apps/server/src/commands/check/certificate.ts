import { expiryOfCertificate } from '../../egress/certificate.ts';
import { EgressError } from '../../egress/errors.ts';
import { error, type Finding, ok, warning } from '../findings.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** Days before the expiry: most certificates are renewed 30 days before it. */
const SOON = 14;
const VERY_SOON = 3;

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/** Whether connections are secure, and for how long they will be. */
export async function checkCertificate(origin: string): Promise<Finding> {
  const url = new URL(origin);
  if (url.protocol === 'http:') {
    return LOOPBACK.test(url.hostname)
      ? ok('TLS', 'The URL is local to this machine, without TLS.')
      : error(
          'TLS',
          'The URL is plain http: tokens, passwords and cookies can be read on the way.',
          'Put a proxy with TLS in front, and set GATEHOUSE_PUBLIC_URL to its https URL.',
        );
  }
  try {
    return findingOfExpiry(await expiryOfCertificate(url), Date.now());
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause;
    return error(
      'TLS',
      `${cause.message} (${cause.reason})`,
      'Check name, certificate and chain of the proxy. For an authority of your own, set NODE_EXTRA_CA_CERTS.',
    );
  }
}

/** @param now epoch milliseconds */
export function findingOfExpiry(expiry: Date, now: number): Finding {
  const days = Math.floor((expiry.getTime() - now) / DAY);
  const found = `The certificate is trusted and expires in ${days} days.`;
  if (days >= SOON) return ok('TLS', found);
  const finding = days >= VERY_SOON ? warning : error;
  return finding('TLS', found, 'Renew it, and find out why it was not renewed automatically.');
}
