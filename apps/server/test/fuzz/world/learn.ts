import { deliveredSecret } from '../oracle/secrets.ts';
import { type FuzzAnswer, type FuzzRequest, headerOf } from '../request.ts';
import type { Actor, Entity, EntityKind } from './entity.ts';
import { kindOf } from './suited.ts';
import type { World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Remembers what an answer of 2xx tells of rows, bearers, cursors and keys. */
export function learn(world: World, request: FuzzRequest, answer: FuzzAnswer): void {
  const { operation, actor } = request;
  if (answer.status >= 300 || actor === undefined) return;
  const body = fieldsOf(answer.body);
  learnRows(world, request, actor, body, answer.headers.etag);
  learnTag(world, request, answer);
  learnEnd(world, request);
  learnBearer(world, request, actor, answer);
  const key = headerOf(request, 'idempotency-key');
  if (key !== undefined && operation.route.idempotency === 'key') {
    const { bearer, path } = { bearer: actor.bearer, path: request.path };
    const call = { operation: operation.id, bearer, path, key, body: request.body };
    world.keyedCalls.set(`${bearer} ${path} ${key}`, call);
  }
  if (typeof body.nextCursor === 'string') {
    const { cursor: _, ...query } = request.query;
    const { bearer, path } = { bearer: actor.bearer, path: request.path };
    const list = { operation: operation.id, bearer, path, query, cursor: body.nextCursor };
    world.openLists.set(body.nextCursor, list);
  }
}

const ROWS: readonly (readonly [field: string, kind: EntityKind])[] = [
  ['integration', 'integration'],
  ['application', 'application'],
  ['member', 'member'],
  ['group', 'group'],
  ['token', 'token'],
];

const LISTS: Readonly<Record<string, EntityKind>> = {
  'integrations.list': 'integration',
  'applications.list': 'application',
  'sessions.list': 'session',
  'sessions.listAll': 'session',
  'tokens.list': 'token',
  'members.list': 'member',
  'groups.list': 'group',
  'groups.listMembers': 'member',
  'grants.list': 'grant',
  'auditEvents.list': 'event',
};

function setTag(world: World, kind: EntityKind, id: string, etag: string): void {
  const row = world.entities(kind).get(id);
  if (row) world.entities(kind).set(id, { ...row, etag });
}

function learnRows(
  world: World,
  request: FuzzRequest,
  actor: Actor,
  body: Fields,
  tag: string | undefined,
): void {
  for (const [field, kind] of ROWS) {
    const fields = fieldsOf(body[field]);
    remember(world, kind, request, actor, fields);
    if (typeof fields.id === 'string' && tag !== undefined) setTag(world, kind, fields.id, tag);
  }
  const kind = LISTS[request.operation.id];
  if (kind === undefined || !Array.isArray(body.items)) return;
  for (const item of body.items) remember(world, kind, request, actor, fieldsOf(item));
}

function remember(
  world: World,
  kind: EntityKind,
  { params, operation }: FuzzRequest,
  actor: Actor,
  fields: Fields,
): void {
  const { id } = fields;
  if (typeof id !== 'string' || (kind === 'session' && fields.state !== 'open')) return;
  const pool = world.entities(kind);
  const known = pool.get(id);
  // What lists tell of old rows is of less use than what is known, and would fill the pool.
  if (known === undefined && operation.id.endsWith('.list') && pool.values.length > 150) return;
  pool.set(id, {
    kind,
    id,
    organization: actor.organization,
    isProtected: known?.isProtected ?? false,
    etag: known?.etag,
    isArchived: typeof fields.archivedAt === 'string',
    authMode: textOf(fields.authMode),
    hasOauth: fields.oauth !== undefined,
    clientType: textOf(fieldsOf(fields.oauth).type),
    userId: kind === 'token' || kind === 'grant' ? actor.userId : textOf(fields.ownerUserId),
    role: fields.role as Entity['role'],
    applicationId: kind === 'session' ? params.id?.toLowerCase() : undefined,
  });
}

/** The version and what the answer to a change of a part tells of the whole row. */
function learnTag(world: World, { operation, params }: FuzzRequest, answer: FuzzAnswer): void {
  const id = params.id?.toLowerCase();
  if (id === undefined) return;
  const pool = world.entities(kindOf(operation.id, 'id'));
  const row = pool.get(id);
  if (!row) return;
  const changed: Partial<Entity> = {
    ...(answer.headers.etag === undefined ? {} : { etag: answer.headers.etag }),
    ...(operation.id === 'integrations.putOauth' ? { hasOauth: true } : {}),
    ...(operation.id === 'integrations.deleteOauth' ? { hasOauth: false } : {}),
    ...(operation.id.endsWith('.archive') ? { isArchived: true } : {}),
    ...(operation.id === 'applications.updateOauth'
      ? { clientType: textOf(fieldsOf(fieldsOf(answer.body).oauth).type) }
      : {}),
  };
  pool.set(id, { ...row, ...changed });
}

/** What ends a row, or a caller's bearers. */
const ENDING: ReadonlySet<string> = new Set([
  'tokens.revoke',
  'members.remove',
  'members.revokeAccess',
  'groups.delete',
  'grants.end',
]);

function learnEnd(world: World, { operation, params }: FuzzRequest): void {
  if (operation.id === 'sessions.revoke') world.entities('session').delete(params.sessionId ?? '');
  const id = params.id?.toLowerCase() ?? '';
  const isOver = ({ tokenId, userId }: Actor) =>
    operation.id === 'tokens.revoke' ? tokenId === id : userId === id;
  if (!ENDING.has(operation.id)) return;
  if (operation.id !== 'members.revokeAccess') {
    world.entities(kindOf(operation.id, 'id')).delete(id);
  }
  for (const actor of world.actors.values.filter(isOver)) world.actors.delete(actor.bearer);
}

function learnBearer(world: World, request: FuzzRequest, actor: Actor, answer: FuzzAnswer): void {
  const secret = deliveredSecret(request.operation.id, answer);
  if (secret === undefined) return;
  world.deliveredSecrets.add(secret);
  const body = fieldsOf(answer.body);
  if (request.operation.id === 'tokens.create') {
    const { id, scopes } = fieldsOf(body.token) as { id: string; scopes: Actor['scopes'] };
    world.actors.set(secret, {
      ...actor,
      bearer: secret,
      kind: 'personal',
      scopes,
      tokenId: id,
      isBase: false,
    });
  }
  if (request.operation.id === 'members.create') {
    const { id, role } = fieldsOf(body.member) as { id: string; role: Actor['role'] };
    world.actors.set(secret, {
      bearer: secret,
      kind: 'invitation',
      organization: actor.organization,
      userId: id,
      role,
      scopes: [],
      isBase: false,
    });
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
