import {
  type Contract,
  type CreateTokenBody,
  limits,
  refusalTexts,
  secretPrefixes,
  type Token,
} from '@gatehouse/contract';
import { type Actor, isAdmin } from '../http/actor.ts';
import { isExpired } from '../http/guard.ts';
import { eraseStoredSecrets } from '../http/idempotency.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { invalidField, Refusal } from '../http/refusal.ts';
import { revokeSessions } from '../rules/sessions.ts';
import { randomText } from '../state/random.ts';
import type { TokenRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

export const tokens: Operations<Contract['tokens']> = {
  create: {
    authorize: ({ actor, body }) => requireGrantable(actor, body),
    act({ state, actor, body }) {
      requireGrantable(actor, body);
      const { name, scopes, expiresAt = null } = body;
      if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
        const message = 'Must be in the future.';
        throw invalidField('/expiresAt', 'invalid', message, refusalTexts.tokenExpired);
      }
      spendInvitation(state, actor);
      const { organizationId, userId } = actor;
      requireRoom(state, userId);
      const kind = 'personal';
      const token = addToken(state, { organizationId, userId, kind, name, scopes, expiresAt });
      return {
        status: 201,
        body: { token: presentToken(token), secret: token.secret },
        location: `/tokens/${token.id}`,
        secretOf: token.id,
      };
    },
  },

  list: {
    act({ state, actor: { organizationId, userId }, query }) {
      const own = [...state.tokens.values()].filter(
        (token) => token.userId === userId && token.kind === 'personal',
      );
      const scope = { list: 'tokens', organizationId, userId };
      const { rows, nextCursor } = readPage(state, scope, query, own);
      return { status: 200, body: { items: rows.map(presentToken), nextCursor } };
    },
  },

  revoke: {
    act({ state, actor, params: { id } }) {
      const token = state.tokens.get(id);
      const mayRevoke =
        token?.organizationId === actor.organizationId &&
        (isAdmin(actor) || token.userId === actor.userId);
      if (!mayRevoke) throw new Refusal('not_found', 'There is no such token.');
      state.tokens.delete(id);
      eraseStoredSecrets(state, id);
      revokeSessions(state, ({ tokenId, era }) => tokenId === id && era === 'modern');
      return { status: 204, body: undefined };
    },
  },
};

/** Stores a new token. */
export function addToken(
  state: State,
  token: Omit<TokenRow, 'id' | 'secret' | 'createdAt' | 'lastUsedAt' | 'isSpent'>,
): TokenRow {
  const row: TokenRow = {
    ...state.createId(),
    ...token,
    secret: secretPrefixes[token.kind] + randomText(32),
    lastUsedAt: null,
    isSpent: false,
  };
  state.tokens.set(row.id, row);
  return row;
}

function presentToken({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: TokenRow): Token {
  return { id, name, scopes: [...scopes], createdAt, expiresAt, lastUsedAt };
}

/** A token cannot create a token with more scopes or a later expiry than its own. An invitation may grant any. */
function requireGrantable(
  { tokenKind, tokenExpiresAt, scopes: own }: Actor,
  { scopes, expiresAt }: CreateTokenBody,
): void {
  if (tokenKind === 'invitation') return;
  if (!scopes.every((scope) => own.includes(scope))) {
    throw new Refusal('forbidden', 'A token cannot grant scopes that it does not have itself.');
  }
  if (tokenExpiresAt === null) return;
  if (expiresAt && Date.parse(expiresAt) <= Date.parse(tokenExpiresAt)) return;
  throw new Refusal(
    'forbidden',
    'A token that expires cannot create one that expires later or never. Choose an earlier expiresAt.',
  );
}

function requireRoom(state: State, userId: string): void {
  const own = [...state.tokens.values()].filter(
    (token) => token.userId === userId && token.kind === 'personal' && !isExpired(token),
  );
  if (own.length < limits.tokens) return;
  throw new Refusal(
    'token_limit_reached',
    `A member can have at most ${limits.tokens} tokens. Revoke some that are no longer used.`,
  );
}

function spendInvitation(state: State, { tokenKind, tokenId }: Actor): void {
  const invitation = state.tokens.get(tokenId);
  if (tokenKind !== 'invitation' || !invitation) return;
  if (invitation.isSpent) {
    throw new Refusal('invitation_used', 'This invitation has already been used.');
  }
  state.tokens.set(tokenId, { ...invitation, isSpent: true });
}
