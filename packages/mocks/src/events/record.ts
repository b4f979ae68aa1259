import {
  concernedIdsOf,
  type EventActor,
  type ManagementEvent,
  presentEvent,
} from '@gatehouse/contract';
import type { ContractOperation } from '../http/match.ts';
import type { Caller } from '../http/operation.ts';
import type { AnyResult } from '../state/results.ts';
import type { State } from '../state/state.ts';
import { addAuditEvent } from './audit-events.ts';
import { events } from './operations.ts';
import type { Told } from './tell.ts';
import { rowsOf, type Written } from './written.ts';

/** The client is a page or a test in the same process. */
const ADDRESS = '127.0.0.1';

type Tell = (written: Written) => readonly Told[];

/** Runs an operation, and records what it has changed. */
export function runRecorded(
  { resource, name }: ContractOperation,
  call: Caller,
  act: () => AnyResult,
): AnyResult {
  const tell = (events as Readonly<Record<string, Tell | string>>)[`${resource}.${name}`];
  if (typeof tell !== 'function') return act();
  const before = rowsOf(call.state);
  const result = act();
  for (const told of tell({ before, call })) record(call.state, { ...told, actor: actorOf(call) });
  return result;
}

/** Adds an event, with the names of this moment. */
export function record(state: State, event: ManagementEvent): void {
  const { id, createdAt } = state.createId();
  const names = { get: (rowId: string) => nameOf(state, rowId) };
  const shown = presentEvent({ id, at: new Date(createdAt), event }, names);
  const { organizationId } = event.actor;
  addAuditEvent(state, { organizationId, event: shown, concerns: concernedIdsOf(shown) });
}

/** Who acts when this caller does. */
export function actorOf({ actor, requestId }: Pick<Caller, 'actor' | 'requestId'>): EventActor {
  const { organizationId, userId, tokenId: id, tokenKind, accessToken } = actor;
  const request = requestOf(requestId);
  if (accessToken === undefined) {
    const via = { kind: tokenKind === 'personal' ? 'personal_token' : tokenKind, id } as const;
    return { kind: 'person', organizationId, userId, via, request };
  }
  const { applicationId, grantId } = accessToken;
  if (grantId === null) {
    const via = { kind: 'client_credentials' } as const;
    return { kind: 'application', organizationId, applicationId, via, request };
  }
  const via = { kind: 'grant', id: grantId, applicationId } as const;
  return { kind: 'person', organizationId, userId, via, request };
}

/** A person at one of the pages. The mocks have no browser sessions. */
export function signingIn(organizationId: string, userId: string): EventActor {
  const request = requestOf(crypto.randomUUID());
  return { kind: 'person', organizationId, userId, via: { kind: 'sign_in' }, request };
}

function requestOf(id: string) {
  return { id, address: ADDRESS };
}

function nameOf(state: State, id: string): string | undefined {
  const { users, applications, integrations, groups, tokens, organizations } = state;
  const tables = [users, applications, integrations, groups, tokens, organizations];
  return tables.map((table) => table.get(id)?.name).find((name) => name !== undefined);
}
