import {
  type Contract,
  contract,
  lifetimes,
  limits,
  type Member,
  type MemberRole,
  refusalTexts,
} from '@gatehouse/contract';
import { type Actor, isAdmin } from '../http/actor.ts';
import { isExpired } from '../http/guard.ts';
import { eraseStoredSecrets } from '../http/idempotency.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { endAccess } from '../rules/grants.ts';
import { accessOf } from '../rules/member-access.ts';
import { randomText } from '../state/random.ts';
import type { UserRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { addToken } from './tokens.ts';

export const members: Operations<Contract['members']> = {
  create: {
    authorize: ({ actor, body: { role } }) => requireMayChange(actor, 'member', role),
    act({ state, publicUrl, actor, body: { email, name, role } }) {
      const { organizationId } = actor;
      requireMayChange(actor, 'member', role);
      if (usersOf(state, organizationId).some((user) => user.email === email)) {
        const detail = 'The organization already has a member with this email.';
        throw new Refusal('email_taken', detail);
      }
      const member = addUser(state, { organizationId, email, name, role });
      const invitation = addToken(state, {
        organizationId,
        userId: member.id,
        kind: 'invitation',
        name: 'Invitation',
        scopes: [],
        expiresAt: new Date(Date.now() + lifetimes.invitation).toISOString(),
      });
      return {
        status: 201,
        body: {
          member: presentMember(member),
          invitation: invitation.secret,
          invitationUrl: newLink(publicUrl),
        },
        location: `/members/${member.id}`,
        secretOf: invitation.id,
      };
    },
  },

  list: {
    act({ state, actor: { organizationId }, query }) {
      const { groupId } = query;
      const scope = { list: 'members', organizationId, filters: { groupId } };
      const found =
        groupId === undefined
          ? usersOf(state, organizationId)
          : membersOfGroup(state, organizationId, groupId);
      const { rows, nextCursor } = readPage(state, scope, query, found);
      return { status: 200, body: { items: rows.map(presentMember), nextCursor } };
    },
  },

  update: {
    authorize: ({ state, actor, params, body: { role } }) =>
      requireMayChange(actor, requireMember(state, actor, params.id).role, role),
    act({ state, actor, params, body: { name, role }, requireFixed }) {
      const member = requireMember(state, actor, params.id);
      requireMayChange(actor, member.role, role);
      if (role !== undefined && role !== 'owner') requireNotLastOwner(state, member);
      requireFixed(contract.members.update.body, presentMember(member));
      const changed = { ...member, name: name ?? member.name, role: role ?? member.role };
      if (RANK[changed.role] > RANK[member.role]) endInvitations(state, member);
      state.users.set(member.id, changed);
      return { status: 200, body: { member: presentMember(changed) } };
    },
  },

  remove: {
    act({ state, actor, params }) {
      const member = requireMember(state, actor, params.id);
      requireMayChange(actor, member.role);
      requireNotLastOwner(state, member);
      const groups = leaveGroups(state, member);
      forget(state, member);
      return { status: 200, body: { applications: withSecretOf(state, member), groups } };
    },
  },

  revokeAccess: {
    authorize: ({ state, actor, params }) => requireRevocable(state, actor, params.id),
    act({ state, actor, params }) {
      const member = requireRevocable(state, actor, params.id);
      const { tokens, ...ended } = endAccess(state, allOf(member));
      return {
        status: 200,
        body: { revoked: { tokens: tokens + endTokens(state, member), ...ended } },
      };
    },
  },

  createSignInLink: {
    authorize: ({ state, actor, params }) =>
      requireMayChange(actor, requireMember(state, actor, params.id).role),
    act({ state, publicUrl, actor, params, body }) {
      const member = requireMember(state, actor, params.id);
      requireMayChange(actor, member.role);
      eraseStoredSecrets(state, member.id);
      const isReset = body?.purpose === 'reset';
      const lifetime = isReset ? lifetimes.resetLink : lifetimes.invitation;
      const expiresAt = new Date(Date.now() + lifetime).toISOString();
      return {
        status: 201,
        body: { url: newLink(publicUrl), expiresAt },
        secretOf: member.id,
      };
    },
  },

  getAccess: {
    act: ({ state, actor, params }) => {
      const { id } = requireMember(state, actor, params.id);
      return { status: 200, body: { access: accessOf(state, actor, id) } };
    },
  },
};

/** Nothing is behind it: there are no pages. */
function newLink(publicUrl: string): string {
  return `${publicUrl}/sign-in/link/${randomText(32)}`;
}

export function addUser(state: State, user: Omit<UserRow, 'id' | 'createdAt'>): UserRow {
  const row = { ...state.createId(), ...user };
  state.users.set(row.id, row);
  return row;
}

export function presentMember({ id, email, name, role, createdAt }: UserRow): Member {
  return { id, email, name, role, createdAt };
}

function usersOf({ users }: State, organizationId: string): UserRow[] {
  return [...users.values()].filter((user) => user.organizationId === organizationId);
}

export function requireMember(state: State, { organizationId }: Actor, id: string): UserRow {
  const member = state.users.get(id);
  if (member?.organizationId === organizationId) return member;
  throw new Refusal('not_found', 'There is no such member.');
}

/** Only owners grant or remove `owner`, or change an owner. */
function requireMayChange(actor: Actor, role: MemberRole, wanted?: MemberRole): void {
  if (actor.role === 'owner' || (role !== 'owner' && wanted !== 'owner')) return;
  throw new Refusal('forbidden', refusalTexts.ownersOnly);
}

function requireNotLastOwner(state: State, { organizationId, role }: UserRow): void {
  const owners = usersOf(state, organizationId).filter((user) => user.role === 'owner');
  if (role !== 'owner' || owners.length > 1) return;
  throw new Refusal(
    'last_owner',
    'The last owner of an organization cannot be removed or demoted.',
  );
}

const RANK: Readonly<Record<MemberRole, number>> = { member: 0, admin: 1, owner: 2 };

/** A promotion ends an invitation that is out. */
function endInvitations(state: State, { id }: UserRow): void {
  eraseStoredSecrets(state, id);
  for (const token of state.tokens.values()) {
    if (token.userId !== id || token.kind !== 'invitation') continue;
    state.tokens.delete(token.id);
    eraseStoredSecrets(state, token.id);
  }
}

/** Members may revoke their own access alone; that of an owner is left to owners. */
function requireRevocable(state: State, actor: Actor, id: string): UserRow {
  if (!isAdmin(actor) && id !== actor.userId) {
    const detail = 'Only admins and owners may revoke the access of another member.';
    throw new Refusal('forbidden', detail);
  }
  const member = requireMember(state, actor, id);
  requireMayChange(actor, member.role);
  return member;
}

/** The grants and sessions of a member. */
function allOf({ id }: UserRow) {
  const isTheirs = ({ userId }: { readonly userId: string }) => userId === id;
  return { grants: isTheirs, sessions: isTheirs };
}

/** Ends the tokens of a member; how many had not expired. */
function endTokens(state: State, { id }: UserRow): number {
  eraseStoredSecrets(state, id);
  const own = [...state.tokens.values()].filter(({ userId }) => userId === id);
  for (const token of own) {
    state.tokens.delete(token.id);
    eraseStoredSecrets(state, token.id);
  }
  return own.filter((token) => !isExpired(token)).length;
}

/** The active applications of a member with a client secret, newest first. */
function withSecretOf(state: State, { id: ownerUserId }: UserRow) {
  return namesOf(
    [...state.applications.values()].filter(
      (row) =>
        row.ownerUserId === ownerUserId && row.archivedAt === null && row.clientSecret !== null,
    ),
  );
}

/** Who is in a group of the organization. */
export function membersOfGroup(state: State, organizationId: string, groupId: string): UserRow[] {
  const memberIds = state.groups.get(groupId)?.memberIds ?? [];
  return usersOf(state, organizationId).filter(({ id }) => memberIds.includes(id));
}

/** The groups that a member was in, newest first. */
function leaveGroups(state: State, { id: userId }: UserRow) {
  const left = [...state.groups.values()].filter(({ memberIds }) => memberIds.includes(userId));
  for (const group of left) {
    const memberIds = group.memberIds.filter((id) => id !== userId);
    state.groups.set(group.id, { ...group, memberIds });
  }
  return namesOf(left);
}

/** Newest first, as many as fit in a response. */
function namesOf(rows: readonly { readonly id: string; readonly name: string }[]) {
  return [...rows]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limits.pageMax)
    .map(({ id, name }) => ({ id, name }));
}

/** Tokens, grants, sessions and connections end with the member; applications stay. */
function forget(state: State, member: UserRow): void {
  const { id } = member;
  endAccess(state, allOf(member));
  endTokens(state, member);
  for (const [key, { userId }] of state.connections) {
    if (userId === id) state.connections.delete(key);
  }
  state.users.delete(id);
}
