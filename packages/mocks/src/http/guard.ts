import { type Route, refusalTexts } from '@gatehouse/contract';
import type { TokenRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { type Actor, isAdmin } from './actor.ts';
import { requireApplicationToken } from './application-token.ts';
import type { Match } from './match.ts';
import { Refusal } from './refusal.ts';

const INVALID_TOKEN = 'Bearer error="invalid_token"';
const BEARER = /^bearer +([\x21-\x7e]{1,8192}) *$/i;

/**
 * The caller of an operation that is not public. No body has been read yet.
 *
 * @throws Refusal `unauthenticated`, then `forbidden` or `insufficient_scope`
 */
export function requireActor(
  state: State,
  { operation: { route, resource, name }, params }: Match,
  request: Request,
): Actor {
  const header = request.headers.get('authorization');
  if (route.access === 'application') return identifyApplication(state, header, params);
  const actor = identify(state, header);
  requireAccess(actor, `${resource}.${name}`, route);
  if (route.access === 'admin') requireAdmin(actor);
  const { adminParameter } = route;
  if (adminParameter !== undefined && isTrue(request, adminParameter)) requireAdmin(actor);
  return actor;
}

function identify(state: State, header: string | null): Actor {
  if (header === null) throw unauthenticated(refusalTexts.tokenRequired, 'Bearer');
  const secret = BEARER.exec(header)?.[1];
  if (secret === undefined) throw unauthenticated(refusalTexts.notBearer, INVALID_TOKEN);
  const token = [...state.tokens.values()].find((row) => row.secret === secret);
  const user = token && state.users.get(token.userId);
  if (!token || !user || isExpired(token)) {
    throw unauthenticated(refusalTexts.tokenUnknown, INVALID_TOKEN);
  }
  const minute = `${new Date().toISOString().slice(0, 16)}:00.000Z`;
  state.tokens.set(token.id, { ...token, lastUsedAt: minute });
  const { id: tokenId, kind: tokenKind, expiresAt: tokenExpiresAt, scopes } = token;
  const { id: userId, organizationId, role } = user;
  return { organizationId, userId, role, tokenId, tokenKind, tokenExpiresAt, scopes };
}

/** An application with its own access token, for a user or for itself. */
function identifyApplication(
  state: State,
  header: string | null,
  { id = '', integrationId = '' }: Match['params'],
): Actor {
  const secret = BEARER.exec(header ?? '')?.[1];
  const accessToken = requireApplicationToken(state, secret, { id, integrationId });
  if (accessToken === undefined) {
    identify(state, header);
    throw new Refusal(
      'forbidden',
      'Credentials are handed out to applications, by their own access tokens, never by a personal one.',
    );
  }
  const { organizationId, applicationId, grantId } = accessToken;
  const grant = grantId === null ? undefined : state.grants.get(grantId);
  return {
    organizationId,
    userId: grant?.userId ?? applicationId,
    role: 'member',
    tokenId: grantId ?? applicationId,
    tokenKind: 'personal',
    tokenExpiresAt: accessToken.expiresAt,
    scopes: [],
    accessToken,
  };
}

export function isExpired({ expiresAt }: TokenRow): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

/** RFC 6750 section 3. */
function unauthenticated(detail: string, challenge: string): Refusal {
  return new Refusal('unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge } });
}

/** An invitation may only call routes with the access `account`. Other tokens need the scope of the method. */
function requireAccess(actor: Actor, operation: string, { access, method }: Route): void {
  if (actor.tokenKind === 'invitation') {
    if (access === 'account') return;
    throw new Refusal('forbidden', 'An invitation may only call GET /me and, once, POST /tokens.');
  }
  const scope = method === 'GET' ? 'management:read' : 'management:write';
  const isCovered =
    operation === 'me.get' ||
    actor.scopes.includes(scope) ||
    (scope === 'management:read' && actor.scopes.includes('management:write'));
  if (isCovered) return;
  throw new Refusal('insufficient_scope', `The access token lacks the scope ${scope}.`);
}

function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw new Refusal('forbidden', 'Only admins and owners may do this.');
}

function isTrue(request: Request, parameter: string): boolean {
  const values = new URL(request.url).searchParams.getAll(parameter);
  return values.length === 1 && values[0] === 'true';
}
