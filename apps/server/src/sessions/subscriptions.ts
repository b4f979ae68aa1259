import { Prisma } from '../generated/prisma/client.ts';
import type { Store } from '../platform/database/store.ts';
import { type AggregateSession, updateAggregateSession } from './aggregate-session-repository.ts';

/** Bytes of all subscriptions of a session. */
const MAX_SUBSCRIBED = 16 * 1024;

/** A subscription as it is stored. */
function subscriptionOf(attachmentId: string, uri: string): string {
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

/** @returns false when the session has ended, or cannot hold that one */
export async function addSubscription(
  store: Store,
  session: AggregateSession,
  attachmentId: string,
  uri: string,
): Promise<boolean> {
  if (!isStorable(uri)) return false;
  const added = Prisma.sql`${subscriptionOf(attachmentId, uri)}::text`;
  const isThere = Prisma.sql`${added} = ANY("subscriptions")`;
  const hasRoom = Prisma.sql`
    octet_length(array_to_string("subscriptions", '')) + octet_length(${added}) <= ${MAX_SUBSCRIBED}`;
  const assignment = Prisma.sql`"subscriptions" = array_append("subscriptions", ${added})`;
  const condition = Prisma.sql`NOT (${isThere}) AND ${hasRoom}`;
  if (await updateAggregateSession(store, session, assignment, condition)) return true;
  const there = await store.db.$queryRaw<unknown[]>`
    SELECT 1 FROM "AggregateSession"
    WHERE "id" = ${session.id}::uuid AND "endedAt" IS NULL AND ${isThere}`;
  return there.length > 0;
}

export async function removeSubscription(
  store: Store,
  session: AggregateSession,
  attachmentId: string,
  uri: string,
): Promise<void> {
  if (!isStorable(uri)) return;
  const removed = Prisma.sql`${subscriptionOf(attachmentId, uri)}::text`;
  const assignment = Prisma.sql`"subscriptions" = array_remove("subscriptions", ${removed})`;
  await updateAggregateSession(
    store,
    session,
    assignment,
    Prisma.sql`${removed} = ANY("subscriptions")`,
  );
}

/** PostgreSQL's text holds no U+0000, and only whole characters. */
function isStorable(uri: string): boolean {
  return !uri.includes('\0') && Buffer.from(uri).toString() === uri;
}
