import {
  type Application,
  type ApplicationOauth,
  type ApplicationOauthWithSecret,
  type AttachedIntegration,
  aliasFor,
} from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Caller } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import type { ApplicationRow, AttachmentRow, IntegrationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { countSessions } from './sessions.ts';

/** Members see their own applications, admins and owners all. @throws Refusal `not_found` */
export function requireApplication({ state, actor }: Caller, id: string): ApplicationRow {
  const application = state.applications.get(id);
  const isVisible =
    application?.organizationId === actor.organizationId &&
    (isAdmin(actor) || application.ownerUserId === actor.userId);
  if (isVisible) return application;
  throw new Refusal('not_found', 'There is no such application.');
}

const ADMIN_SCOPES = ['credentials', 'management:read', 'management:write'];

/** Only admins and owners give an application such a scope; it may keep one. @throws Refusal `forbidden` */
export function requireMayAllow(
  { actor }: Pick<Caller, 'actor'>,
  scopes: readonly string[],
  kept: readonly string[] = [],
): void {
  const isRefused = (scope: string) => ADMIN_SCOPES.includes(scope) && !kept.includes(scope);
  if (isAdmin(actor) || !scopes.some(isRefused)) return;
  throw new Refusal(
    'forbidden',
    `Only admins and owners may give an application these scopes: ${ADMIN_SCOPES.join(', ')}.`,
  );
}

/**
 * Only admins and owners attach an integration of which the application could get the server token.
 *
 * @throws Refusal `forbidden`
 */
export function requireMayAttach(
  { actor }: Pick<Caller, 'actor'>,
  { oauth }: ApplicationRow,
  integrations: readonly IntegrationRow[],
): void {
  if (isAdmin(actor) || !oauth.scopes.includes('credentials')) return;
  const isShared = ({ category, authMode }: IntegrationRow) =>
    category === 'internal_mcp_credentials' && authMode === 'server_token';
  if (!integrations.some(isShared)) return;
  throw new Refusal(
    'forbidden',
    'Only admins and owners may attach a credential-only integration with a server token to an application with the scope credentials.',
  );
}

/** @throws Refusal `archived` */
export function requireActive({ archivedAt }: ApplicationRow): void {
  if (archivedAt === null) return;
  throw new Refusal('archived', 'The application is archived. Restore it first.');
}

/** Stores a row as the next version of the configuration. */
export function saveApplication({ applications }: State, row: ApplicationRow): ApplicationRow {
  const saved = { ...row, updatedAt: new Date().toISOString(), version: row.version + 1 };
  applications.set(saved.id, saved);
  return saved;
}

/** The attachments of an application in the order of attaching. */
export function attachmentsOf({ attachments }: State, applicationId: string): AttachmentRow[] {
  return [...attachments.values()].filter((row) => row.applicationId === applicationId);
}

/** Attaches an integration, with an alias that no other attachment of the application has. */
export function attach(state: State, applicationId: string, integrationId: string): void {
  const { id, createdAt } = state.createId();
  const taken = new Set(attachmentsOf(state, applicationId).map(({ alias }) => alias));
  const alias = aliasFor(state.integrations.get(integrationId)?.name ?? '', taken);
  state.attachments.set(id, { id, applicationId, integrationId, alias, createdAt });
}

export function presentApplication(
  { state, actor, publicUrl }: Caller,
  row: ApplicationRow,
): Application {
  const { id, name, ownerUserId, createdAt, updatedAt, archivedAt, limits, aggregate } = row;
  const isOwn = ownerUserId === actor.userId;
  const integrations = attachmentsOf(state, id).flatMap((attachment) => {
    const integration = state.integrations.get(attachment.integrationId);
    return integration ? [presentAttached(attachment, integration, publicUrl)] : [];
  });
  return {
    id,
    name,
    ownerUserId,
    createdAt,
    updatedAt,
    archivedAt,
    canModify: archivedAt === null && (isAdmin(actor) || isOwn),
    ...countSessions(state, id),
    limits,
    aggregate,
    mcpUrl: archivedAt !== null || aggregate.mode === 'off' ? null : `${publicUrl}/mcp/${id}`,
    mcpUrlTemplate: archivedAt === null ? `${publicUrl}/mcp/${id}/{integrationId}` : null,
    integrations,
    oauth: presentOauth(row),
  };
}

export function presentOauth({ id, oauth, clientSecret }: ApplicationRow): ApplicationOauth {
  return { ...oauth, clientId: id, clientSecretConfigured: clientSecret !== null };
}

/** The only response that contains a client secret. Public clients have no secret. */
export function presentOauthWithSecret(row: ApplicationRow): ApplicationOauthWithSecret {
  const { clientSecret } = row;
  return { ...presentOauth(row), ...(clientSecret === null ? {} : { clientSecret }) };
}

export function presentAttached(
  { applicationId, alias, createdAt }: AttachmentRow,
  { id, name, category, authMode, validationStatus, archivedAt }: IntegrationRow,
  publicUrl: string,
): AttachedIntegration {
  const isProxied = category === 'gateway_remote_mcp';
  return {
    id,
    name,
    category,
    authMode,
    validationStatus,
    archivedAt,
    attachedAt: createdAt,
    alias,
    mcpUrl: isProxied ? `${publicUrl}/mcp/${applicationId}/${id}` : null,
  };
}
