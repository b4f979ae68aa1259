import type { LeaseRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

const LEASE_TTL = 5 * 60_000;
/** As long as an idle modern session lasts. */
const BLOCK = 30 * 60_000;

/** Who gets a credential, and of which integration. */
export type LeaseHolder = Pick<LeaseRow, 'applicationId' | 'integrationId' | 'userId' | 'tokenId'>;

/** @param endsAt when the credential itself expires */
export function addLease(state: State, holder: LeaseHolder, endsAt: string | null): LeaseRow {
  const { id, createdAt } = state.createId();
  const ends = Math.min(Date.now() + LEASE_TTL, endsAt === null ? Infinity : Date.parse(endsAt));
  const expiresAt = new Date(ends).toISOString();
  const times = { createdAt, expiresAt, endedAt: null, refusedUntil: null };
  const lease: LeaseRow = { ...holder, id, era: 'modern', ...times };
  state.leases.set(id, lease);
  return lease;
}

/** Revokes one lease, which keeps its holder from the next one. Returns whether the application has it. */
export function revokeLease({ leases }: State, applicationId: string, id: string): boolean {
  const lease = leases.get(id);
  if (lease?.applicationId !== applicationId) return false;
  const hasEnded = lease.endedAt !== null || Date.parse(lease.expiresAt) <= Date.now();
  if (!hasEnded) {
    const endedAt = new Date().toISOString();
    const refusedUntil = new Date(Date.now() + BLOCK).toISOString();
    leases.set(id, { ...lease, endedAt, refusedUntil });
  }
  return true;
}

/** Seconds that a holder gets no lease; 0 if it gets one now. */
export function blockedFor({ leases }: State, holder: LeaseHolder): number {
  const blocks = [...leases.values()].filter(
    ({ tokenId, applicationId, integrationId }) =>
      tokenId === holder.tokenId &&
      applicationId === holder.applicationId &&
      integrationId === holder.integrationId,
  );
  const ends = blocks.map(({ refusedUntil }) => (refusedUntil ? Date.parse(refusedUntil) : 0));
  return Math.max(0, Math.ceil((Math.max(0, ...ends) - Date.now()) / 1000));
}
