import {
  type Contract,
  contract,
  type IntegrationCategory,
  type JsonObject,
  type ParsedCreateIntegrationBody,
  tokenDestination,
} from '@gatehouse/contract';
import type { Caller, Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { checkCredentialSchema } from '../rules/credential-schema.ts';
import { discoveryOf } from '../rules/discovery.ts';
import { isSameJson } from '../rules/equal.ts';
import { wipeOauth, withOauthInput } from '../rules/integration-oauth.ts';
import {
  invalidatesValidation,
  merge,
  presentIntegration,
  presentOneIntegration,
  requireActive,
  requireIntegration,
  requireSendableToken,
  requireServerToken,
  saveIntegration,
} from '../rules/integrations.ts';
import { revokeSessions } from '../rules/sessions.ts';
import { validationOf } from '../rules/validation.ts';
import type { IntegrationRow, SecretKind } from '../state/rows.ts';
import { connectionKey } from '../state/state.ts';
import { integrationOauth } from './integration-oauth.ts';
import { integrationPolicies } from './policies.ts';

export const integrations: Operations<Contract['integrations']> = {
  create: {
    check(call) {
      checkBody(call);
      requireAllowedUrl(call, call.body);
    },
    act(call) {
      const integration = newIntegration(call, call.body);
      call.state.integrations.set(integration.id, integration);
      return {
        status: 201,
        body: { integration: presentOneIntegration(call, integration) },
        version: integration.version,
        location: `/integrations/${integration.id}`,
      };
    },
  },

  list: {
    act(call) {
      const { state, actor, query } = call;
      const { organizationId } = actor;
      const { name, includeArchived } = query;
      const wanted = name?.toLowerCase() ?? '';
      const found = [...state.integrations.values()].filter(
        (row) =>
          row.organizationId === organizationId &&
          (includeArchived || row.archivedAt === null) &&
          row.name.toLowerCase().includes(wanted),
      );
      const scope = { list: 'integrations', organizationId, filters: { name, includeArchived } };
      const { rows, nextCursor } = readPage(state, scope, query, found);
      const items = rows.map((row) => presentIntegration(call, row));
      return { status: 200, body: { items, nextCursor } };
    },
  },

  discover: {
    act({ state, addresses, body: { url } }) {
      addresses.checkUrl(url, false);
      return { status: 200, body: discoveryOf(url, state.discoveries.get(url)) };
    },
  },

  get: {
    act: (call) => present(call, requireIntegration(call, call.params.id)),
  },

  update: {
    check: checkBody,
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const current = requireIntegration(call, call.params.id);
      call.requireMatch(current.version);
      requireActive(current);
      const merged = merge(current, call.body);
      if (changesRoute(current, merged)) requireAllowedUrl(call, merged);
      const { serverToken } = call.body;
      requireServerToken(current, merged, serverToken);
      requireSendableToken(current, merged);
      call.requireFixed(contract.integrations.update.body, presentIntegration(call, current));
      return present(call, change(call, { current, merged, serverToken }));
    },
  },

  archive: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const current = requireIntegration(call, call.params.id);
      call.requireMatch(current.version);
      if (current.archivedAt !== null) return archived(current);
      revokeSessions(call.state, ({ integrationId }) => integrationId === current.id);
      const archivedAt = new Date().toISOString();
      return archived(saveIntegration(call.state, { ...current, archivedAt }));
    },
  },

  restore: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const current = requireIntegration(call, call.params.id);
      if (current.archivedAt === null) return present(call, current);
      return present(call, saveIntegration(call.state, { ...current, archivedAt: null }));
    },
  },

  validate: {
    act(call) {
      const { state, actor } = call;
      const integration = requireIntegration(call, call.params.id);
      requireActive(integration);
      const { id } = integration;
      const connection = state.connections.get(connectionKey(id, actor.userId));
      const outcome = validationOf(state, integration, connection);
      state.integrations.set(id, {
        ...integration,
        validationStatus: outcome.status,
        validationMessage: outcome.message,
        validationStages: outcome.stages,
        lastValidatedAt: new Date().toISOString(),
        certificateExpiresAt:
          outcome.stages.find(({ stage }) => stage === 'tls')?.certificateExpiresAt ??
          integration.certificateExpiresAt,
      });
      return { status: 200, body: outcome };
    },
  },

  ...integrationOauth,
  ...integrationPolicies,
};

function checkBody({ body }: { body: { credentialSchema?: JsonObject | null | undefined } }): void {
  if (body.credentialSchema) checkCredentialSchema(body.credentialSchema);
}

function requireAllowedUrl(
  { addresses }: Caller,
  { url, category, authMode }: { url: string; category: IntegrationCategory; authMode: string },
): void {
  if (category === 'gateway_remote_mcp') addresses.checkUrl(url, authMode !== 'none');
}

function newIntegration(
  { state, actor }: Caller,
  { serverToken, ...body }: ParsedCreateIntegrationBody,
): IntegrationRow {
  const { id, createdAt } = state.createId();
  const secrets = new Map<SecretKind, string>();
  if (serverToken !== undefined) secrets.set('server_token', tokenDestination(body.url));
  return {
    id,
    organizationId: actor.organizationId,
    name: body.name,
    url: body.url,
    category: body.category,
    authMode: body.authMode,
    oauth: withOauthInput(body),
    capabilities: body.capabilities ?? null,
    credentialSchema: body.credentialSchema ?? null,
    secrets,
    validationStatus: 'pending',
    validationMessage: null,
    validationStages: [],
    lastValidatedAt: null,
    certificateExpiresAt: null,
    validateEveryMinutes: body.validateEveryMinutes ?? null,
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
    version: 1,
  };
}

interface Change {
  readonly current: IntegrationRow;
  readonly merged: IntegrationRow;
  readonly serverToken: string | null | undefined;
}

/** Applies a PATCH that has passed all checks. */
function change({ state }: Caller, { current, merged, serverToken }: Change): IntegrationRow {
  const hadToken = current.secrets.has('server_token');
  const isTokenChanged = typeof serverToken === 'string' || (serverToken === null && hadToken);
  if (!isTokenChanged && isSameJson(current, merged)) return current;
  const isOauthRemoved = current.oauth !== null && merged.oauth === null;
  const { secrets: kept } = isOauthRemoved ? wipeOauth(state, current) : current;
  const secrets = new Map(kept);
  if (serverToken === null) secrets.delete('server_token');
  if (typeof serverToken === 'string') secrets.set('server_token', tokenDestination(merged.url));
  if (changesRoute(current, merged)) {
    revokeSessions(state, ({ integrationId }) => integrationId === current.id);
  }
  const resetValidation = isTokenChanged || invalidatesValidation(current, merged);
  return saveIntegration(state, { ...merged, secrets }, { resetValidation });
}

/** Whether the address or the way to authenticate has changed, which ends open sessions. */
function changesRoute(before: IntegrationRow, after: IntegrationRow): boolean {
  return (
    before.url !== after.url ||
    before.authMode !== after.authMode ||
    before.category !== after.category
  );
}

function present(call: Caller, row: IntegrationRow) {
  const body = { integration: presentOneIntegration(call, row) };
  return { status: 200 as const, body, version: row.version };
}

function archived({ version }: IntegrationRow) {
  return { status: 204 as const, body: undefined, version };
}
