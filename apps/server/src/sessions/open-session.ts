import type { Era } from '../mcp/era.ts';
import { LEASE } from './activity-writes.ts';
import type { SessionRow } from './repository.ts';

/** The attachment a session belongs to, from the gateway's route. */
export interface SessionRoute {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly attachmentId: string;
  /** Origin of the integration's URL: the upstream's session id is never sent anywhere else. */
  readonly destination: string;
}

/** The caller that a session belongs to. */
export interface SessionCaller {
  /** The member, or the application that acts for itself. Stored as `userId`. */
  readonly subjectId: string;
  /** The personal token or grant, or the application that acts for itself. Stored as `tokenId`. */
  readonly bearerId: string;
}

/** Milliseconds in flight before a session gets a presence row: short calls do not cost one. */
const PRESENCE_AFTER = 1_000;

/**
 * An open session in this node's memory. Times are of the monotonic clock (`performance.now`), so a
 * node's wall clock never decides when a session ends.
 */
export class OpenSession {
  readonly id: string;
  /** `legacy` if the upstream issued a session id, whatever the client's version. */
  readonly era: Era;
  readonly applicationId: string;
  readonly attachmentId: string;
  readonly subjectId: string;
  /** The upstream's own Mcp-Session-Id (legacy). */
  readonly upstreamSessionId: string | undefined;
  /** Only lists were read in it, as far as this node knows: its client has not used it. */
  isUnused: boolean;
  /** Requests and streams in flight on this node. */
  inFlight = 0;
  /** The time since which at least one is in flight without a gap. */
  busySince = 0;
  activeAt: number;
  /** The last activity that the database has, and when it was written. */
  storedActivityAt: number;
  activityWrittenAt: number;
  /** The end of the lease of this node's presence row; 0 without a row. */
  presentUntil = 0;
  /** Bytes arrived since the last tick. */
  isTouched = false;
  isTracked = false;

  constructor(row: SessionRow, upstreamSessionId: string | undefined, now: number) {
    this.id = row.id;
    this.era = row.era;
    this.applicationId = row.applicationId;
    this.attachmentId = row.attachmentId;
    this.subjectId = row.subjectId;
    this.upstreamSessionId = upstreamSessionId;
    this.isUnused = row.isUnused;
    this.activeAt = now - row.silentFor;
    this.storedActivityAt = this.activeAt;
    this.activityWrittenAt = this.activeAt;
  }

  /** Bytes arrived on a stream of the session: activity. */
  touch(): void {
    this.isTouched = true;
  }

  /** @param every milliseconds between two writes of its activity at least */
  isActivityDue(now: number, every: number): boolean {
    return this.activeAt > this.storedActivityAt && now - this.activityWrittenAt >= every;
  }

  isPresenceDue(now: number): boolean {
    return (
      this.inFlight > 0 &&
      now - this.busySince >= PRESENCE_AFTER &&
      this.presentUntil - now < LEASE / 2
    );
  }

  isAbsenceDue(): boolean {
    return this.inFlight === 0 && this.presentUntil > 0;
  }

  /** True if nothing is in flight and the database has everything that this node has. */
  isSettled(): boolean {
    return (
      this.inFlight === 0 &&
      !this.isTouched &&
      this.presentUntil === 0 &&
      this.activeAt <= this.storedActivityAt
    );
  }
}
