import { callIdOf } from './block.ts';
import type { CallSets } from './encode-calls.ts';
import { ACTOR_KINDS, CALL_ACTIONS, type CallEvent } from './event.ts';
import { hasPlaces } from './places.ts';

/** A body is not what `encodeCalls` writes. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

type Party = number | [id: number, name: number];

/** An event as a body has it: the time since the block's first, and places. */
type Row = [
  ...[at: number, action: number],
  ...[actorKind: number, actor: Party, viaKind: number, viaId: number],
  ...[targetKind: number, target: Party, outcome: number],
  ...[requestId: string | null, address: number],
  ...Details,
];

type Details = [
  ...[applicationId: number | null, integrationId: number | null, userId: number | null],
  ...[sessionId: number, httpMethod: number, method: number, name: number, uri: number],
  ...[credential: number, status: number, reasons: number[]],
  ...[ms: number, bytesIn: number, bytesOut: number, begun?: string],
];

type Texts = readonly (string | null)[];

interface Named {
  readonly ids: readonly string[];
  readonly names: Texts;
}

/** Ids and texts that the events of a body refer to by their index. */
interface Tables {
  readonly application: Named;
  readonly integration: Named;
  readonly person: Named;
  readonly texts: Texts;
}

/**
 * The events of a block, as they were before `encodeCalls`.
 *
 * @param body inflated
 * @throws UnreadableBody
 */
export function decodeCalls(block: CallSets & { readonly id: string }, body: string): CallEvent[] {
  try {
    const [names, ...rows] = body.trimEnd().split('\n');
    const [applications, integrations, people, texts] = JSON.parse(names ?? '');
    const tables: Tables = {
      application: { ids: block.applications, names: applications },
      integration: { ids: block.integrations, names: integrations },
      person: { ids: block.people, names: people },
      texts,
    };
    const from = Date.parse(block.from);
    return rows.map((row, index) => ({
      id: callIdOf(block.id, index),
      kind: 'call',
      ...eventOf(JSON.parse(row), from, tables),
    }));
  } catch (cause) {
    throw new UnreadableBody('The body of a block cannot be read.', { cause });
  }
}

function eventOf(row: Row, from: number, tables: Tables): Omit<CallEvent, 'id' | 'kind'> {
  const [at, action, actorKind, actor, viaKind, viaId, targetKind, target, ...rest] = row;
  const [outcome, requestId, address, ...details] = rest;
  const { texts } = tables;
  const by = valueAt(ACTOR_KINDS, actorKind);
  const via = { kind: textAt(texts, viaKind), id: valueAt(texts, viaId) };
  const kind = textAt(texts, targetKind);
  return {
    at: new Date(from + at).toISOString(),
    action: valueAt(CALL_ACTIONS, action),
    actor: { kind: by, ...partyOf(by, actor, tables), via },
    target: { kind, ...partyOf(kind, target, tables) },
    outcome: textAt(texts, outcome),
    requestId,
    address: valueAt(texts, address),
    details: detailsOf(details, tables),
  };
}

function detailsOf(row: Details, { texts, ...tables }: Tables): CallEvent['details'] {
  const [application, integration, user, session, httpMethod, method, ...more] = row;
  const [name, uri, credential, status, reasons, ms, bytesIn, bytesOut, begun] = more;
  return {
    applicationId: application === null ? null : valueAt(tables.application.ids, application),
    integrationId: integration === null ? null : valueAt(tables.integration.ids, integration),
    userId: user === null ? null : valueAt(tables.person.ids, user),
    sessionId: valueAt(texts, session),
    httpMethod: valueAt(texts, httpMethod),
    method: valueAt(texts, method),
    name: valueAt(texts, name),
    uri: valueAt(texts, uri),
    credential: valueAt(texts, credential),
    status,
    reasons: reasons.map((reason) => textAt(texts, reason)),
    ms,
    bytesIn,
    bytesOut,
    ...(begun === undefined ? {} : { begun }),
  };
}

function partyOf(kind: string, party: Party, tables: Tables) {
  if (Array.isArray(party)) {
    return { id: valueAt(tables.texts, party[0]), name: valueAt(tables.texts, party[1]) };
  }
  const { ids, names } = hasPlaces(kind) ? tables[kind] : fail();
  return { id: valueAt(ids, party), name: valueAt(names, party) };
}

function textAt(texts: Texts, place: number): string {
  return valueAt(texts, place) ?? fail();
}

function valueAt<T>(values: readonly T[], place: number): T {
  const value = values[place];
  return value === undefined ? fail() : value;
}

function fail(): never {
  throw new UnreadableBody('A place in the body of a block is empty.');
}
