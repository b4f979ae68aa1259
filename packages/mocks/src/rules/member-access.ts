import { limits, type MemberAccess, policyReferencesOf } from '@gatehouse/contract';
import type { Actor } from '../http/actor.ts';
import { isExpired } from '../http/guard.ts';
import type { State } from '../state/state.ts';
import { findSessions } from './all-sessions.ts';
import { isLive } from './grants.ts';
import { countOpen } from './sessions.ts';

/** What a member has, and what becomes of it when they are removed. */
export function accessOf(state: State, actor: Actor, userId: string): MemberAccess {
  const isTheirs = (row: { readonly userId: string }) => row.userId === userId;
  const ofMember = [...state.grants.values()].filter(isTheirs);
  const grants = ofMember.filter(isLive);
  const open = findSessions(state, actor, { userId, state: 'open' });
  const applications = [...state.applications.values()]
    .filter((row) => row.ownerUserId === userId && row.archivedAt === null)
    .map(({ id, name, clientSecret }) => ({
      id,
      name,
      clientSecretConfigured: clientSecret !== null,
    }));
  const tokens = [...state.tokens.values()].filter((row) => isTheirs(row) && !isExpired(row));
  const groups = [...state.groups.values()].filter((row) => row.memberIds.includes(userId));
  return {
    connections: named([...state.connections.values()].filter(isTheirs).map(integrationOf(state))),
    tokens: named(tokens),
    grants: named(grants.map((grant) => ({ id: grant.id, name: nameOf(state, grant) }))),
    grantTokens: grants.reduce((sum, grant) => sum + grant.tokens, 0),
    consents: ofMember.filter(({ isConsentKept }) => isConsentKept).length,
    sessions: countOpen(state, isTheirs),
    recentSessions: open.slice(0, limits.namedRows),
    groups: named(groups),
    applications: newest(applications),
    rules: rulesNaming(state, userId),
  };
}

function nameOf({ applications }: State, { applicationId }: { readonly applicationId: string }) {
  return applications.get(applicationId)?.name ?? '';
}

const integrationOf =
  ({ integrations }: State) =>
  ({ integrationId }: { readonly integrationId: string }) => ({
    id: integrationId,
    name: integrations.get(integrationId)?.name ?? '',
  });

interface Named {
  readonly id: string;
  readonly name: string;
}

function named(rows: readonly Named[]) {
  return newest(rows.map(({ id, name }) => ({ id, name })));
}

function newest<Row extends Named>(rows: readonly Row[]) {
  const items = [...rows].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { total: items.length, items: items.slice(0, limits.namedRows) };
}

function rulesNaming(state: State, userId: string): MemberAccess['rules'] {
  const names = (rules: Parameters<typeof policyReferencesOf>[0]) =>
    policyReferencesOf(rules).some(({ kind, id }) => kind === 'user' && id === userId);
  const ofIntegrations = [...state.integrationPolicies].flatMap(([integrationId, rules]) =>
    names(rules) ? [{ integrationId, applicationId: null }] : [],
  );
  const ofAttachments = [...state.attachmentPolicies].flatMap(([attachmentId, rules]) => {
    const attachment = state.attachments.get(attachmentId);
    return attachment && names(rules) ? [attachment] : [];
  });
  const items = [...ofIntegrations, ...ofAttachments].map(({ integrationId, applicationId }) => ({
    integrationId,
    integrationName: state.integrations.get(integrationId)?.name ?? '',
    applicationId,
    applicationName:
      applicationId === null ? null : (state.applications.get(applicationId)?.name ?? ''),
  }));
  return { total: items.length, items: items.slice(0, limits.namedRows) };
}
