import { hash } from 'node:crypto';
import type { Inbound } from './inbound.ts';
import { loopDetected } from './problems.ts';

/**
 * The pseudonym of an organization's gateway in `CDN-Loop` (RFC 8586 section 2): the same on every node,
 * and it tells an upstream no name.
 */
export function loopMarkOf(organizationId: string): string {
  return `gatehouse-${hash('sha256', `loop ${organizationId}`).slice(0, 16)}`;
}

/** @throws ProblemError `loop_detected` for a call that has passed a gateway of this organization before. */
export function checkNoLoop({ cdnLoop }: Inbound, mark: string): void {
  if (cdnLoop?.includes(mark)) throw loopDetected();
}

/** The `CDN-Loop` that goes up: that of the call, if it may pass, and our own mark. */
export function cdnLoopFor({ cdnLoop }: Inbound, mark: string, token: string): string {
  return cdnLoop === undefined || cdnLoop.includes(token) ? mark : `${cdnLoop}, ${mark}`;
}
