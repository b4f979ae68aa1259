import type { AuditEvent } from '../audit-events/audit-events.schema.ts';
import type { EventActor } from './event-actor.schema.ts';
import type { ManagementEvent } from './events.schema.ts';

/** The longest `changes` of an event, in characters of JSON. */
const MAX_CHANGES = 4096;

/** What an event is shown with beside what happened. */
export interface Recorded {
  readonly id: string;
  readonly at: Date;
  readonly event: ManagementEvent;
}

/** The names that rows have now, by their ids. */
export interface NamesById {
  get(id: string): string | undefined;
}

/** An event as the audit shows it. The keys always come in this order. */
export function presentEvent({ id, at, event }: Recorded, names: NamesById): AuditEvent {
  const { action, actor, targetId, targetName, ...details } = event;
  const [kind = ''] = action.split('.', 1);
  const nameOfTarget = targetName ?? names.get(namedIdOf(targetId)) ?? null;
  return {
    id,
    kind: 'management',
    at: at.toISOString(),
    action,
    actor: shownActor(actor, names),
    target: { kind, id: targetId, name: nameOfTarget },
    outcome: action.endsWith('_failed') ? 'failed' : 'succeeded',
    requestId: requestOf(actor)?.id ?? null,
    address: requestOf(actor)?.address ?? null,
    details: bounded(details),
  };
}

/** The id of a person or application that acts; undefined for operators and the service. */
export function actorIdOf(actor: EventActor): string | undefined {
  if (actor.kind === 'person') return actor.userId;
  return actor.kind === 'application' ? actor.applicationId : undefined;
}

/** The row with the target's name: of a connection its integration. */
export function namedIdOf(targetId: string): string {
  return targetId.split(':', 1)[0] ?? targetId;
}

function shownActor(actor: EventActor, names: NamesById): AuditEvent['actor'] {
  const id = actorIdOf(actor) ?? null;
  return { kind: actor.kind, id, name: names.get(id ?? '') ?? null, via: shownVia(actor.via) };
}

function shownVia(via: EventActor['via']): AuditEvent['actor']['via'] {
  const application = 'applicationId' in via ? { applicationId: via.applicationId } : {};
  if ('id' in via) return { kind: via.kind, id: via.id, ...application };
  return { kind: via.kind, id: 'name' in via ? via.name : null };
}

function requestOf(actor: EventActor) {
  return 'request' in actor ? actor.request : undefined;
}

type Details = Readonly<Record<string, unknown>>;

interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Leaves values out, the longest ones first, until the changes have room. */
function bounded(details: Details & { readonly changes?: readonly Change[] }): Details {
  const { changes } = details;
  if (changes === undefined || JSON.stringify(changes).length <= MAX_CHANGES) return details;
  const cut: (Change & { readonly truncated?: true })[] = [...changes];
  const byLength = changes
    .map((change, index) => ({ index, length: JSON.stringify(change).length }))
    .sort((a, b) => b.length - a.length);
  for (const { index } of byLength) {
    const { field } = changes[index] as Change;
    cut[index] = { field, from: null, to: null, truncated: true };
    if (JSON.stringify(cut).length <= MAX_CHANGES) break;
  }
  return { ...details, changes: cut };
}
