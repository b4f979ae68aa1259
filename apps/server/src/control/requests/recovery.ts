import { createTokenBodySchema, tokenScopeSchema } from '@gatehouse/contract';
import { z } from 'zod';
import { operator } from '../../identity/actor.ts';
import { findPersonByEmail } from '../../identity/people.ts';
import { createSignInLink, signInLinkUrl } from '../../identity/sign-in-links.ts';
import { createPersonalToken } from '../../identity/tokens.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { CommandError } from '../command-error.ts';
import { defineRequest } from '../request.ts';

/** Makes a token for a member, under the rules that apply to the member. */
export const tokenCreateRequest = defineRequest({
  input: z.strictObject({
    email: z.string(),
    name: createTokenBodySchema.shape.name,
    scopes: z.array(tokenScopeSchema).min(1),
    /** Milliseconds; null for a token that does not expire. */
    lifetime: z.number().positive().nullable(),
  }),
  reply: z.object({
    id: z.string(),
    /** The token. It is stored nowhere. */
    secret: z.string(),
    expiresAt: z.string().nullable(),
  }),
  async run({ store }, { email, name, scopes, lifetime }) {
    const person = await findPersonByEmail(store.db, email);
    if (person === undefined) throw new CommandError('No member has this email.');
    const { organizationId, id: userId } = person;
    const expiresAt = lifetime === null ? null : new Date(Date.now() + lifetime);
    const wanted = { organizationId, userId, name, scopes: [...new Set(scopes)], expiresAt };
    try {
      const { token, secret } = await store.transaction((tx) =>
        createPersonalToken(tx, wanted, operator(organizationId, 'token create')),
      );
      return { id: token.id, secret, expiresAt: token.expiresAt?.toISOString() ?? null };
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'token_limit_reached') {
        throw new CommandError(error.message, undefined, { cause: error });
      }
      throw error;
    }
  },
});

/** Makes a link that signs in the member with this email, or with which they choose a new password. */
export const signInLinkRequest = defineRequest({
  input: z.strictObject({ email: z.string(), isReset: z.boolean().default(false) }),
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
  async run({ store, publicUrl }, { email, isReset }) {
    const person = await findPersonByEmail(store.db, email);
    if (person === undefined) throw new CommandError('No member has this email.');
    const { organizationId, id: userId } = person;
    const purpose = isReset ? 'reset' : 'sign_in';
    const { secret, expiresAt } = await store.transaction((tx) => {
      const actor = operator(organizationId, 'sign-in-link');
      tx.record({ action: 'member.sign_in_link_created', actor, targetId: userId, purpose });
      return createSignInLink(tx, { organizationId, userId, purpose });
    });
    return { url: signInLinkUrl(publicUrl, secret), expiresAt: expiresAt.toISOString() };
  },
});
