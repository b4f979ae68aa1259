import type { Era } from '../mcp/era.ts';
import type { SessionRow } from './repository.ts';
import type { OpenSession } from './sessions.ts';

/**
 * An open session in this node's memory. Times are of the monotonic clock (`performance.now`), so a
 * node's wall clock never decides when a session ends.
 */
export class KnownSession implements OpenSession {
  readonly id: string;
  readonly era: Era;
  readonly applicationId: string;
  readonly attachmentId: string;
  readonly userId: string;
  readonly upstreamSessionId: string | undefined;
  /** Requests and streams in flight on this node. */
  inFlight = 0;
  /** Since when at least one is in flight without a gap. */
  busySince = 0;
  activeAt: number;
  /** The activity the database knows of, and when it was told. */
  writtenActivityAt: number;
  wroteAt: number;
  /** Until when this node's presence row counts; 0 without one. */
  presentUntil = 0;
  /** Bytes arrived since the last tick. */
  isTouched = false;
  isTracked = false;

  constructor(row: SessionRow, upstreamSessionId: string | undefined, now: number) {
    this.id = row.id;
    this.era = row.era;
    this.applicationId = row.applicationId;
    this.attachmentId = row.attachmentId;
    this.userId = row.userId;
    this.upstreamSessionId = upstreamSessionId;
    this.activeAt = now - row.silentFor;
    this.writtenActivityAt = this.activeAt;
    this.wroteAt = this.activeAt;
  }

  /** Whether this node holds nothing about it that the database does not know. */
  isSettled(): boolean {
    return (
      this.inFlight === 0 &&
      !this.isTouched &&
      this.presentUntil === 0 &&
      this.activeAt <= this.writtenActivityAt
    );
  }
}
