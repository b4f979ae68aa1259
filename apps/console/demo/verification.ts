import type { AuditVerification } from '@gatehouse/contract';

const HOUR = 60 * 60_000;

/** What a server found that last looked some hours ago. */
export function seenHoursAgo(hours: number): AuditVerification {
  const at = Date.now() - hours * HOUR - 60_000;
  return {
    at: new Date(at).toISOString(),
    finishedAt: new Date(at + 42_500).toISOString(),
    verdict: 'verified',
    findings: [],
    blocks: 8_214,
    calls: 164_280,
    changes: 312,
    crashes: 1,
    droppedUntil: { calls: null, management: null },
  };
}
