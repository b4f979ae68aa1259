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
  /** Of its client, to resources of integrations of the modern era, see {@link subscriptionOf}. */
  readonly subscriptions: readonly string[];
}

/** As it is stored. */
export function subscriptionOf(attachmentId: string, uri: string): string {
  return `${attachmentId} ${uri}`;
}

/** The attachment at which a session is subscribed to a URI. */
export function attachmentSubscribedTo(
  { subscriptions }: Pick<AggregateSession, 'subscriptions'>,
  uri: string,
): string | undefined {
  const found = subscriptions.find((each) => each.slice(each.indexOf(' ') + 1) === uri);
  return found?.slice(0, found.indexOf(' '));
}

/** The URIs that a session is subscribed to at one attachment. */
export function subscribedUris(
  { subscriptions }: Pick<AggregateSession, 'subscriptions'>,
  attachmentId: string,
): readonly string[] {
  const start = subscriptionOf(attachmentId, '');
  return subscriptions
    .filter((each) => each.startsWith(start))
    .map((each) => each.slice(start.length));
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
