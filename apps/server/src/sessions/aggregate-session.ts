import type { ClientHello } from '../mcp/client-hello.ts';
import type { SessionCaller } from './open-session.ts';

/** An application, which has one endpoint for all of its integrations. */
export interface AggregatePlace {
  readonly organizationId: string;
  readonly applicationId: string;
}

/** A legacy client's session at the aggregate endpoint. Behind it, each attachment that it uses has an ordinary session. */
export interface AggregateSession extends AggregatePlace {
  readonly id: string;
  /** The member, or the application that acts for itself. */
  readonly subjectId: string;
  /** What its client has said, for the upstreams that sessions begin at later. */
  readonly hello: ClientHello;
  /** That its client has set. */
  readonly logLevel: string | undefined;
}

/** One that is to be opened. */
export interface OpeningAggregateSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly hash: Buffer<ArrayBuffer>;
  readonly place: AggregatePlace;
  readonly caller: SessionCaller;
  readonly hello: ClientHello;
}

/** One in this node's memory. Times are of the monotonic clock, as those of `OpenSession`. */
export interface HeldAggregateSession {
  readonly session: AggregateSession;
  usedAt: number;
  /** The use that is written, or waits for it. */
  notedAt: number;
}
