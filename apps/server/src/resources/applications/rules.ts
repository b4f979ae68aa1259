import { refusalTexts } from '@gatehouse/contract';
import type { Application, Integration } from '../../generated/prisma/client.ts';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** The applications that a query may touch: those of one organization, or of one of its users. */
export interface ApplicationScope {
  readonly organizationId: string;
  readonly ownerUserId?: string;
}

/** Members may see and change their own applications, admins and owners all of them. */
export function visibleTo(actor: PersonCaller): ApplicationScope {
  return isAdmin(actor) ? { organizationId: actor.organizationId } : ownedBy(actor);
}

/** The applications in a list. @throws ProblemError `forbidden` when a member asks for all */
export function listedFor(actor: PersonCaller, all: boolean): ApplicationScope {
  if (all && !isAdmin(actor)) {
    throw new ProblemError(
      'forbidden',
      'Only admins and owners may list the applications of other users.',
    );
  }
  return all ? { organizationId: actor.organizationId } : ownedBy(actor);
}

export function canModify(
  actor: PersonCaller,
  { ownerUserId, archivedAt }: Pick<Application, 'ownerUserId' | 'archivedAt'>,
): boolean {
  return archivedAt === null && (isAdmin(actor) || ownerUserId === actor.userId);
}

/** An archived application can only be read and restored. @throws ProblemError `archived` */
export function requireActive({ archivedAt }: Pick<Application, 'archivedAt'>): void {
  if (archivedAt === null) return;
  throw new ProblemError('archived', 'The application is archived. Restore it first.');
}

/** Scopes that let an application's clients manage the organization, or get credentials handed out. */
const ADMIN_SCOPES = ['credentials', 'management:read', 'management:write'];

/**
 * Only admins and owners can add such a scope to an application. An application can keep one that it has.
 *
 * @throws ProblemError `forbidden`
 */
export function requireMayAllow(
  actor: PersonCaller,
  scopes: readonly string[],
  kept: readonly string[] = [],
): void {
  if (isAdmin(actor)) return;
  const refused = ADMIN_SCOPES.filter((scope) => scopes.includes(scope) && !kept.includes(scope));
  if (refused.length === 0) return;
  throw new ProblemError(
    'forbidden',
    `Only admins and owners may give an application these scopes: ${ADMIN_SCOPES.join(', ')}.`,
  );
}

/**
 * Only admins and owners attach an integration of which the application could get the server token handed out,
 * which the organization shares.
 *
 * @throws ProblemError `forbidden`
 */
export function requireMayAttach(
  actor: PersonCaller,
  { scopes }: Pick<Application, 'scopes'>,
  integrations: Iterable<Pick<Integration, 'category' | 'authMode'>>,
): void {
  if (isAdmin(actor) || !scopes.includes('credentials')) return;
  for (const { category, authMode } of integrations) {
    if (category !== 'internal_mcp_credentials' || authMode !== 'server_token') continue;
    throw new ProblemError(
      'forbidden',
      'Only admins and owners may attach a credential-only integration with a server token to an application with the scope credentials.',
    );
  }
}

/** @throws ProblemError `validation_failed` for a public client without a redirect URI */
export function requireRedirectUri({
  clientType,
  redirectUris,
}: Pick<Application, 'clientType' | 'redirectUris'>): void {
  if (clientType === 'confidential' || redirectUris.length > 0) return;
  const message = refusalTexts.redirectUriRequired;
  throw new ProblemError('validation_failed', message, {
    errors: [{ pointer: '/redirectUris', code: 'invalid_value', message }],
  });
}

function ownedBy({ organizationId, userId }: PersonCaller): ApplicationScope {
  return { organizationId, ownerUserId: userId };
}
