import type { OperationId } from '../operations.ts';
import { type Actor, type Entity, type EntityKind, isAdmin } from './entity.ts';

type Fits = (entity: Entity, actor: Actor) => boolean;

const isActive: Fits = ({ isArchived }) => isArchived !== true;
const isVisible: Fits = ({ userId }, actor) => isAdmin(actor) || userId === actor.userId;
const isActiveVisible: Fits = (entity, actor) =>
  isActive(entity, actor) && isVisible(entity, actor);
const isManageable: Fits = ({ isProtected, role }, actor) =>
  !isProtected && (actor.role === 'owner' || role !== 'owner');

/** Which rows an operation can succeed on, beside being of the caller's organization. */
const rules: Partial<Record<OperationId, Fits>> = {
  'integrations.update': isActive,
  'integrations.restore': ({ isArchived }) => isArchived === true,
  'integrations.validate': isActive,
  'integrations.getOauth': ({ authMode, hasOauth }) => authMode === 'oauth' && hasOauth === true,
  'integrations.putOauth': isActive,
  'integrations.putPolicy': isActive,
  'tools.approve': isActive,
  'tools.withdraw': isActive,
  'connections.set': (entity, actor) => isActive(entity, actor) && entity.authMode === 'user_token',
  'connections.authorize': (entity, actor) =>
    isActive(entity, actor) && entity.authMode === 'oauth' && entity.hasOauth === true,
  'connections.test': (entity, actor) =>
    isActive(entity, actor) && (entity.authMode === 'user_token' || entity.authMode === 'oauth'),
  'applications.get': isVisible,
  'applications.update': isActiveVisible,
  'applications.archive': isVisible,
  'applications.restore': (entity, actor) => entity.isArchived === true && isVisible(entity, actor),
  'applications.rotateSecret': (entity, actor) =>
    isActiveVisible(entity, actor) && entity.clientType === 'confidential',
  'applications.revokeAccess': isVisible,
  'applications.getOauth': isVisible,
  'applications.updateOauth': isActiveVisible,
  'applications.listIntegrations': isVisible,
  'applications.setIntegrations': isActiveVisible,
  'applications.attachIntegration': isActiveVisible,
  'applications.detachIntegration': isActiveVisible,
  'applications.getPolicy': isVisible,
  'applications.putPolicy': isActiveVisible,
  'sessions.list': isVisible,
  'tokens.revoke': (entity, actor) =>
    !entity.isProtected && (isAdmin(actor) || entity.userId === actor.userId),
  'members.update': isManageable,
  'members.remove': isManageable,
  'members.createSignInLink': isManageable,
  'members.revokeAccess': (entity, actor) =>
    isManageable(entity, actor) && (isAdmin(actor) || entity.id === actor.userId),
  'groups.get': (_, actor) => isAdmin(actor),
  'grants.end': isVisible,
};

const RESOURCE_KINDS: Readonly<Record<string, EntityKind>> = {
  integrations: 'integration',
  connections: 'integration',
  tools: 'integration',
  listings: 'integration',
  applications: 'application',
  sessions: 'application',
  tokens: 'token',
  members: 'member',
  groups: 'group',
  grants: 'grant',
  auditEvents: 'event',
};

/** What a path parameter of an operation names. */
export function kindOf(operation: OperationId, param: string): EntityKind {
  if (param === 'integrationId') return 'integration';
  if (param === 'sessionId') return 'session';
  if (param === 'memberId') return 'member';
  const kind = RESOURCE_KINDS[operation.split('.')[0] ?? ''];
  if (!kind) throw new Error(`${operation} has no path parameter.`);
  return kind;
}

/** Whether naming the row by the parameter lets the operation succeed for the actor. */
export function isSuited(
  operation: OperationId,
  param: string,
  entity: Entity,
  actor: Actor,
): boolean {
  if (entity.organization !== actor.organization) return false;
  if (param === 'sessionId') return isAdmin(actor);
  if (param === 'integrationId') return isActive(entity, actor);
  return rules[operation]?.(entity, actor) ?? true;
}
