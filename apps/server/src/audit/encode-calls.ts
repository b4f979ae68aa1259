import { ACTOR_KINDS, CALL_ACTIONS, type CallEvent } from './event.ts';
import { hasPlaces, NamedPlaces, Places } from './places.ts';

/** A call event before it is in a block. */
export interface CallInput extends Omit<CallEvent, 'id' | 'kind' | 'at'> {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a block says about its call events outside of its body. */
export interface CallSets {
  /** ISO 8601; of the earliest of the events. */
  readonly from: string;
  readonly applications: readonly string[];
  readonly integrations: readonly string[];
  readonly people: readonly string[];
}

export interface EncodedCalls extends CallSets {
  /** ISO 8601; of the latest of the events. */
  readonly to: string;
  /** The events that say that these calls have begun. */
  readonly ended: readonly string[];
  /**
   * Lines of JSON. The first has the names of the applications, integrations and people, and all other texts; each
   * further line is an event, which refers to them by their places.
   */
  readonly body: string;
}

interface Tables {
  readonly application: NamedPlaces;
  readonly integration: NamedPlaces;
  readonly person: NamedPlaces;
  readonly texts: Places;
}

/**
 * The events of one block, at least one, in the order in which they are numbered. The same events always give the same
 * body. Lines are put together by hand, because they are mostly numbers: printing arrays takes longer.
 */
export function encodeCalls(events: readonly CallInput[]): EncodedCalls {
  const tables: Tables = {
    application: new NamedPlaces(),
    integration: new NamedPlaces(),
    person: new NamedPlaces(),
    texts: new Places(),
  };
  const times = events.map(({ at }) => at);
  const from = Math.min(...times);
  let lines = '';
  for (const event of events) lines += `${lineOf(event, from, tables)}\n`;
  const { application, integration, person, texts } = tables;
  const names = [application.names, integration.names, person.names, texts.values];
  return {
    from: new Date(from).toISOString(),
    to: new Date(Math.max(...times)).toISOString(),
    applications: application.ids,
    integrations: integration.ids,
    people: person.ids,
    ended: events.flatMap(({ details: { begun = [] } }) => begun),
    body: `${JSON.stringify(names)}\n${lines}`,
  };
}

/** `decode-calls.ts` has the order. */
function lineOf(event: CallInput, from: number, tables: Tables): string {
  const { actor, target, requestId, details } = event;
  const { texts } = tables;
  const when = `${event.at - from},${CALL_ACTIONS.indexOf(event.action)}`;
  const who = `${ACTOR_KINDS.indexOf(actor.kind)},${partyOf(actor, tables)}`;
  const via = `${texts.of(actor.via.kind)},${texts.of(actor.via.id)}`;
  const what = `${texts.of(target.kind)},${partyOf(target, tables)},${texts.of(event.outcome)}`;
  const where = `${JSON.stringify(requestId)},${texts.of(event.address)}`;
  return `[${when},${who},${via},${what},${where},${detailsOf(details, tables)}]`;
}

function detailsOf(details: CallEvent['details'], tables: Tables): string {
  const { texts, application, integration, person } = tables;
  const { applicationId, integrationId, userId } = details;
  const route = `${idOf(applicationId, application)},${idOf(integrationId, integration)}`;
  const session = `${idOf(userId, person)},${texts.of(details.sessionId)}`;
  const method = `${texts.of(details.httpMethod)},${texts.of(details.method)}`;
  const part = `${texts.of(details.name)},${texts.of(details.uri)}`;
  const reasons = details.reasons.map((reason) => texts.of(reason)).join();
  const answer = `${texts.of(details.credential)},${details.status},[${reasons}]`;
  const { ms, bytesIn, bytesOut, begun } = details;
  const end = begun === undefined ? '' : `,"${begun}"`;
  return `${route},${session},${method},${part},${answer},${ms},${bytesIn},${bytesOut}${end}`;
}

function idOf(id: string | null, places: NamedPlaces): number | null {
  return id === null ? null : places.of(id);
}

interface Party {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string | null;
}

/** A place among the ids of its kind; if it has no id or another kind, the places of id and name among the texts. */
function partyOf({ kind, id, name }: Party, tables: Tables): string {
  if (id !== null && hasPlaces(kind)) return String(tables[kind].ofNamed(id, name));
  return `[${tables.texts.of(id)},${tables.texts.of(name)}]`;
}
