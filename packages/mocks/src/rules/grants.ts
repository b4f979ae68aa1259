import type { Grant, RevokedAccess } from '@gatehouse/contract';
import type { ApplicationRow, GrantRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { countOpen, revokeSessions, type SessionFilter } from './sessions.ts';

type Oauth = ApplicationRow['oauth'];

export function isLive({ expiresAt }: GrantRow): boolean {
  return Date.parse(expiresAt) > Date.now();
}

/** Ends the grants that match, with their sessions. Returns them. */
export function endGrants(state: State, matches: (grant: GrantRow) => boolean): GrantRow[] {
  const ended = [...state.grants.values()].filter(matches);
  for (const { id } of ended) {
    state.grants.delete(id);
    for (const [secret, { grantId }] of state.accessTokens) {
      if (grantId === id) state.accessTokens.delete(secret);
    }
    revokeSessions(state, ({ tokenId, era }) => tokenId === id && era === 'modern');
  }
  return ended;
}

/** Ends all access of an application or a member; the receipt. */
export function endAccess(
  state: State,
  of: {
    readonly grants: (grant: GrantRow) => boolean;
    readonly sessions: SessionFilter;
    /** Its own tokens, by client credentials, end too. */
    readonly applicationId?: string;
  },
): RevokedAccess {
  const counts = countOpen(state, of.sessions);
  revokeSessions(state, of.sessions);
  const ended = endGrants(state, of.grants);
  const live = ended.filter(isLive);
  const ownTokens = of.applicationId === undefined ? 0 : endOwnTokens(state, of.applicationId);
  return {
    tokens: live.reduce((sum, { tokens }) => sum + tokens, 0) + ownTokens,
    grants: live.length,
    consents: ended.filter(({ isConsentKept }) => isConsentKept).length,
    ...counts,
  };
}

/** Returns how many there were. */
function endOwnTokens({ accessTokens }: State, applicationId: string): number {
  const own = [...accessTokens.values()].filter(
    (token) => token.grantId === null && token.applicationId === applicationId,
  );
  for (const { secret } of own) accessTokens.delete(secret);
  return own.length;
}

/** Ends the grants that rest on what has been taken from the application's OAuth configuration. */
export function endForSettings(
  state: State,
  { id, oauth: after }: ApplicationRow,
  before: Oauth,
): void {
  const taken = (field: 'redirectUris' | 'scopes' | 'allowedResources') =>
    before[field].filter((value) => !after[field].includes(value));
  const resources = taken('allowedResources');
  const [hasUri, hasScope] = [taken('redirectUris').length > 0, taken('scopes').length > 0];
  const hasDynamic = before.allowDynamicClients && !after.allowDynamicClients;
  const uris = after.redirectUris.map(withoutPort);
  endGrants(state, (grant) => {
    if (grant.applicationId !== id) return false;
    const isOwnClient = grant.clientId === id;
    return (
      (hasUri && isOwnClient && !uris.includes(withoutPort(grant.redirectUri))) ||
      (hasScope && !grant.scopes.every((scope) => after.scopes.includes(scope))) ||
      grant.resources.some((resource) => resources.includes(resource)) ||
      (hasDynamic && !isOwnClient)
    );
  });
}

/** Takes a detached integration's URL from the grants; one left empty ends. */
export function detachFromGrants(state: State, applicationId: string, url: string): void {
  for (const grant of state.grants.values()) {
    if (grant.applicationId !== applicationId) continue;
    const resources = grant.resources.filter((resource) => resource !== url);
    state.grants.set(grant.id, { ...grant, resources });
  }
  endGrants(
    state,
    (grant) => grant.applicationId === applicationId && grant.resources.length === 0,
  );
}

export function presentGrant({ applications }: State, grant: GrantRow): Grant {
  const { id, applicationId, clientId, createdAt, lastUsedAt, expiresAt } = grant;
  const applicationName = applications.get(applicationId)?.name ?? '';
  return {
    id,
    applicationId,
    applicationName,
    clientId,
    resources: [...grant.resources],
    scopes: [...grant.scopes],
    createdAt,
    lastUsedAt,
    expiresAt,
  };
}

/** The port of a loopback redirect is the client's choice. */
function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/i, '$1');
}
