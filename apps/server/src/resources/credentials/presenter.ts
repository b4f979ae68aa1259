import type { CredentialLease, HandedOutCredential } from '@gatehouse/contract';
import type { FreshCredential } from '../../credentials/outcome.ts';
import type { Lease } from '../../sessions/leases.ts';

/** The one response that shows a stored credential. */
export function presentCredential({
  headers,
  stored,
  expiresAt,
}: FreshCredential): HandedOutCredential {
  return {
    headers: headers.map(([name, value]) => ({ name, value })),
    ...stored,
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

export function presentLease({ id, expiresAt }: Lease): CredentialLease {
  return { id, expiresAt: expiresAt.toISOString() };
}
