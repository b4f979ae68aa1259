import { z } from 'zod';
import { operator } from '../../identity/actor.ts';
import { findPersonByEmail } from '../../identity/people.ts';
import { createSignInLink, signInLinkUrl } from '../../identity/sign-in-links.ts';
import { CommandError } from '../command-error.ts';
import { defineRequest } from '../request.ts';

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
