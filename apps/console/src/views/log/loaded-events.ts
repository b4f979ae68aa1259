import type { AuditEvent } from '@gatehouse/sdk';

/** A page of events, as plain data. */
export interface EventsPage {
  readonly items: readonly AuditEvent[];
  readonly nextCursor: string | null;
  /** Every event from this time on is there; null for all. */
  readonly reachedAt: string | null;
  /** When it was read, by the clock of the server. */
  readonly readAt: string;
}

/** Events stay away for this many milliseconds at most after they are recorded. */
const LATE = 5_000;

/** More than these are not kept while newer ones come. */
const MOST_KEPT = 1_000;

/**
 * What was loaded, with the newest page: the list begins again with it where more has happened than one page has, so that
 * no event is missing between two others.
 */
export function withNewest(newest: EventsPage, loaded: EventsPage | undefined): EventsPage {
  if (loaded === undefined || newest.nextCursor === null) return newest;
  const isJoined = timeOf(newest.reachedAt) <= timeOf(loaded.readAt) - LATE;
  const items = merged(newest.items, loaded.items);
  if (!isJoined || items.length > MOST_KEPT) return newest;
  return { ...loaded, items, readAt: newest.readAt };
}

/** What was loaded, with the page after it. */
export function withOlder(loaded: EventsPage, older: EventsPage): EventsPage {
  return { ...older, items: merged(loaded.items, older.items), readAt: loaded.readAt };
}

const timeOf = (at: string | null) => (at === null ? 0 : Date.parse(at));

/**
 * Each once, the newest first, and a call that was stored when it began by its end. Of two nodes, an older event may
 * come after a newer one.
 */
function merged(one: EventsPage['items'], other: EventsPage['items']): readonly AuditEvent[] {
  const events = [...one, ...other];
  const ended = new Set(events.map(({ details }) => details.begun));
  const byId = new Map(events.filter(({ id }) => !ended.has(id)).map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
