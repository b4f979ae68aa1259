import {
  CANNOT_SEND_TOKEN,
  canSendToken,
  type Integration,
  refusalTexts,
  type UpdateIntegrationBody,
} from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Caller } from '../http/operation.ts';
import { invalidField, Refusal } from '../http/refusal.ts';
import type { IntegrationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { presentConnection } from './connections.ts';
import { hasServerTokenFor } from './destinations.ts';
import { isSameJson } from './equal.ts';
import { presentOauth, withOauthInput } from './integration-oauth.ts';

/** @throws Refusal `not_found` for an integration that the caller's organization does not have */
export function requireIntegration(
  { state, actor }: Pick<Caller, 'state' | 'actor'>,
  id: string,
): IntegrationRow {
  const integration = state.integrations.get(id);
  if (integration?.organizationId === actor.organizationId) return integration;
  throw new Refusal('not_found', 'There is no such integration.');
}

/** @throws Refusal `archived` */
export function requireActive({ archivedAt }: IntegrationRow): void {
  if (archivedAt === null) return;
  throw new Refusal('archived', 'The integration is archived. Restore it first.');
}

/** An integration in mode `server_token` always has a token that may be sent to its url. */
export function requireServerToken(
  current: IntegrationRow,
  merged: IntegrationRow,
  serverToken: string | null | undefined,
): void {
  if (merged.authMode !== 'server_token' || typeof serverToken === 'string') return;
  if (serverToken === undefined && hasServerTokenFor(current, merged.url)) return;
  const message = refusalTexts.serverTokenMissing;
  throw invalidField('/serverToken', 'required', message, refusalTexts.serverTokenRequired);
}

/** A token of the mode `server_token` can be sent, unless the row was so before. */
export function requireSendableToken(current: IntegrationRow, merged: IntegrationRow): void {
  if (merged.authMode !== 'server_token' || canSendToken(merged.credentialSchema)) return;
  const isStored =
    current.authMode === merged.authMode &&
    isSameJson(current.credentialSchema, merged.credentialSchema);
  if (isStored) return;
  const detail = refusalTexts.schemaWithoutToken;
  throw invalidField('/credentialSchema', 'invalid_value', CANNOT_SEND_TOKEN, detail);
}

/** The row after a PATCH: absent fields do not change, null clears a field, objects are replaced. */
export function merge(current: IntegrationRow, body: UpdateIntegrationBody): IntegrationRow {
  const { capabilities, credentialSchema, validateEveryMinutes } = body;
  return {
    ...current,
    name: body.name ?? current.name,
    url: body.url ?? current.url,
    category: body.category ?? current.category,
    authMode: body.authMode ?? current.authMode,
    capabilities: capabilities === undefined ? current.capabilities : capabilities,
    credentialSchema: credentialSchema === undefined ? current.credentialSchema : credentialSchema,
    validateEveryMinutes:
      validateEveryMinutes === undefined ? current.validateEveryMinutes : validateEveryMinutes,
    oauth: withOauthInput(body, current),
  };
}

/** Whether the configuration that a validation tested has changed. */
export function invalidatesValidation(before: IntegrationRow, after: IntegrationRow): boolean {
  return (
    before.url !== after.url ||
    before.authMode !== after.authMode ||
    !isSameJson(before.oauth, after.oauth)
  );
}

/** Stores a row as the next version of the configuration. */
export function saveIntegration(
  state: State,
  row: IntegrationRow,
  { resetValidation = false }: { readonly resetValidation?: boolean } = {},
): IntegrationRow {
  const saved: IntegrationRow = {
    ...row,
    ...(resetValidation
      ? { validationStatus: 'pending', validationMessage: null, certificateExpiresAt: null }
      : {}),
    updatedAt: new Date().toISOString(),
    version: row.version + 1,
  };
  state.integrations.set(saved.id, saved);
  return saved;
}

/** An integration as the caller sees it. */
export function presentIntegration(
  { state, actor }: Pick<Caller, 'state' | 'actor'>,
  row: IntegrationRow,
): Integration {
  const { id, name, url, category, authMode, validationStatus } = row;
  const hasUsers = authMode === 'user_token' || authMode === 'oauth';
  return {
    id,
    name,
    url,
    category,
    authMode,
    ...(row.oauth ? { oauth: presentOauth(row.oauth) } : {}),
    ...(row.capabilities === null ? {} : { capabilities: row.capabilities }),
    ...(row.credentialSchema === null ? {} : { credentialSchema: row.credentialSchema }),
    serverTokenConfigured: hasServerTokenFor(row, url),
    validationStatus,
    ...(row.validationMessage === null ? {} : { validationMessage: row.validationMessage }),
    ...(row.lastValidatedAt === null ? {} : { lastValidatedAt: row.lastValidatedAt }),
    ...(row.certificateExpiresAt === null
      ? {}
      : { certificateExpiresAt: row.certificateExpiresAt }),
    ...(row.validateEveryMinutes === null
      ? {}
      : { validateEveryMinutes: row.validateEveryMinutes }),
    ...(hasUsers ? { userConnection: presentConnection(state, row, actor.userId) } : {}),
    ...(hasUsers && isAdmin(actor) ? { connectionCount: countConnections(state, id) } : {}),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    archivedAt: row.archivedAt,
  };
}

/** With what lists leave out. */
export function presentOneIntegration(
  call: Pick<Caller, 'state' | 'actor'>,
  row: IntegrationRow,
): Integration {
  const { validationMessage, validationStages } = row;
  return {
    ...presentIntegration(call, row),
    ...(validationMessage === null ? {} : { validationStages: [...validationStages] }),
  };
}

function countConnections({ connections }: State, id: string): number {
  return [...connections.values()].filter(({ integrationId }) => integrationId === id).length;
}
