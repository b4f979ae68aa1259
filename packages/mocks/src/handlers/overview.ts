import { type ConnectionReason, type Contract, limits } from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Caller, Operations } from '../http/operation.ts';
import { presentConnection } from '../rules/connections.ts';
import { countSessions } from '../rules/sessions.ts';
import { toolsOf } from '../rules/tools.ts';
import type { IntegrationRow } from '../state/rows.ts';
import { connectionKey } from '../state/state.ts';

const DAY = 24 * 60 * 60_000;

export const overview: Operations<Contract['overview']> = {
  get: {
    act(call) {
      const integrations = integrationsOf(call);
      const valid = integrations.filter(({ validationStatus }) => validationStatus === 'valid');
      const connections = integrations.flatMap((row) => ownConnectionTo(call, row));
      return {
        status: 200,
        body: {
          overview: {
            ...useOf(call),
            integrations: { total: integrations.length, valid: valid.length },
            connections: connections.filter(({ connected }) => connected).length,
            attention: {
              ...attentionOf(call, integrations),
              ...connectionNeeds(integrations, connections),
            },
          },
        },
      };
    },
  },
};

/** The newest first. */
function integrationsOf({ state, actor }: Caller): IntegrationRow[] {
  return [...state.integrations.values()]
    .filter((row) => row.organizationId === actor.organizationId && row.archivedAt === null)
    .reverse();
}

/** Applications that the caller sees, and their sessions. */
function useOf({ state, actor }: Caller) {
  const seen = [...state.applications.values()].filter(
    ({ organizationId, ownerUserId }) =>
      organizationId === actor.organizationId && (isAdmin(actor) || ownerUserId === actor.userId),
  );
  const counts = seen.map(({ id }) => countSessions(state, id));
  const sumOf = (of: (count: (typeof counts)[number]) => number) =>
    counts.reduce((sum, count) => sum + of(count), 0);
  const calls = counts.flatMap(({ firstCallAt }) => firstCallAt ?? []).sort();
  return {
    firstCallAt: calls[0] ?? null,
    applications: {
      total: seen.filter(({ archivedAt }) => archivedAt === null).length,
      inUse: counts.filter(({ activeSessionCount }) => activeSessionCount > 0).length,
    },
    sessions: {
      active: sumOf(({ activeSessionCount }) => activeSessionCount),
      total: sumOf(({ totalSessionCount }) => totalSessionCount),
    },
  };
}

interface OwnConnection {
  readonly integrationId: string;
  readonly name: string;
  readonly connected: boolean;
  readonly reason: ConnectionReason | undefined;
}

function ownConnectionTo({ state, actor }: Caller, row: IntegrationRow): OwnConnection[] {
  if (!state.connections.has(connectionKey(row.id, actor.userId))) return [];
  const { connected, reason } = presentConnection(state, row, actor.userId);
  return [{ integrationId: row.id, name: row.name, connected, reason }];
}

/** Where the person's own connection is the cause, only that is said. */
function connectionNeeds(
  integrations: readonly IntegrationRow[],
  connections: readonly OwnConnection[],
) {
  const toRenew = connections.flatMap(({ integrationId, name, reason }) =>
    reason === undefined ? [] : [{ integrationId, name, reason }],
  );
  const invalid = integrations.filter(
    ({ id, validationStatus }) =>
      validationStatus === 'invalid' && !toRenew.some(({ integrationId }) => integrationId === id),
  );
  return {
    connections: needsOf(toRenew),
    invalidIntegrations: needsOf(
      invalid.map(({ id, name, validationMessage: message }) => ({ id, name, message })),
    ),
  };
}

function attentionOf({ state, actor }: Caller, integrations: readonly IntegrationRow[]) {
  const tokens = [...state.tokens.values()].filter(
    ({ userId, kind }) => userId === actor.userId && kind === 'personal',
  );
  const looked = isAdmin(actor) ? integrations : [];
  const certificates = looked
    .filter(({ validationStatus }) => validationStatus !== 'invalid')
    .map(({ certificateExpiresAt, ...row }) => ({ ...row, expiresAt: certificateExpiresAt }));
  const changed = looked.flatMap(({ id, name }) => {
    const names = toolsOf(state, id)
      .filter((tool) => tool.state === 'changed')
      .map((tool) => tool.name);
    const toolNames = names.slice(0, limits.overviewToolNames);
    return names.length === 0 ? [] : [{ id, name, toolCount: names.length, toolNames }];
  });
  return {
    certificates: needsOf(endingWithin(14, certificates)),
    tokens: needsOf(endingWithin(7, tokens)),
    changedTools: needsOf(changed),
  };
}

interface Expiring {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: string | null;
}

function endingWithin(days: number, rows: readonly Expiring[]) {
  return rows
    .flatMap(({ id, name, expiresAt }) => {
      const left = Date.parse(expiresAt ?? '') - Date.now();
      return expiresAt !== null && left > 0 && left < days * DAY ? [{ id, name, expiresAt }] : [];
    })
    .sort((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
}

function needsOf<Item>(items: Item[]) {
  return { total: items.length, items: items.slice(0, limits.namedRows) };
}
