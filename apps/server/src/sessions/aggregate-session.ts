import type { ClientHello } from '../mcp/client-hello.ts';

/** An application, which has one endpoint for all of its integrations. */
export interface AggregatePlace {
  readonly organizationId: string;
  readonly applicationId: string;
}

/** A session at an application's one URL. Behind it, each attachment that it uses has an ordinary session. */
export interface AggregateSession extends AggregatePlace {
  readonly id: string;
  /** The member, or the application that acts for itself. */
  readonly subjectId: string;
  /** Its client's `initialize`, for the upstreams at which sessions begin later. */
  readonly hello: ClientHello;
  /** Set by its client. */
  readonly logLevel: string | undefined;
  /** Subscriptions to resources of integrations of the modern era, see {@link subscriptionOf}. */
  readonly subscriptions: readonly string[];
}

/** A subscription as it is stored. */
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
