import {
  type Contract,
  contract,
  lifetimes,
  type Member,
  type MemberRole,
} from '@gatehouse/contract';
import type { Actor } from '../http/actor.ts';
import { eraseStoredSecrets } from '../http/idempotency.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { revokeSessions } from '../rules/sessions.ts';
import type { UserRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { addToken } from './tokens.ts';

export const members: Operations<Contract['members']> = {
  create: {
    authorize: ({ actor, body: { role } }) => requireMayChange(actor, 'member', role),
    act({ state, actor, body: { email, name, role } }) {
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
        body: { member: presentMember(member), invitation: invitation.secret },
        location: `/members/${member.id}`,
        secretOf: invitation.id,
      };
    },
  },

  list: {
    act({ state, actor: { organizationId }, query }) {
      const scope = { list: 'members', organizationId };
      const { rows, nextCursor } = readPage(state, scope, query, usersOf(state, organizationId));
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
      forget(state, member);
      return { status: 204, body: undefined };
    },
  },
};

export function addUser(state: State, user: Omit<UserRow, 'id' | 'createdAt'>): UserRow {
  const row = { ...state.createId(), ...user };
  state.users.set(row.id, row);
  return row;
}

function presentMember({ id, email, name, role, createdAt }: UserRow): Member {
  return { id, email, name, role, createdAt };
}

function usersOf({ users }: State, organizationId: string): UserRow[] {
  return [...users.values()].filter((user) => user.organizationId === organizationId);
}

function requireMember(state: State, { organizationId }: Actor, id: string): UserRow {
  const member = state.users.get(id);
  if (member?.organizationId === organizationId) return member;
  throw new Refusal('not_found', 'There is no such member.');
}

/** Only owners grant or remove `owner`, or change an owner. */
function requireMayChange(actor: Actor, role: MemberRole, wanted?: MemberRole): void {
  if (actor.role === 'owner' || (role !== 'owner' && wanted !== 'owner')) return;
  throw new Refusal(
    'forbidden',
    'Only owners may grant or remove the owner role or change an owner.',
  );
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
  for (const token of state.tokens.values()) {
    if (token.userId !== id || token.kind !== 'invitation') continue;
    state.tokens.delete(token.id);
    eraseStoredSecrets(state, token.id);
  }
}

/** Tokens, sessions and connections end with the member; applications stay. */
function forget(state: State, { id }: UserRow): void {
  revokeSessions(state, ({ userId }) => userId === id);
  for (const token of state.tokens.values()) {
    if (token.userId !== id) continue;
    state.tokens.delete(token.id);
    eraseStoredSecrets(state, token.id);
  }
  for (const [key, { userId }] of state.connections) {
    if (userId === id) state.connections.delete(key);
  }
  state.users.delete(id);
}
