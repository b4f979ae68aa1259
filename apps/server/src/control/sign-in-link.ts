import { findPersonByEmail } from '../identity/people.ts';
import { createSignInLink, signInLinkUrl } from '../identity/sign-in-links.ts';
import type { Store } from '../platform/database/store.ts';
import type { Reply } from './protocol.ts';

/** Makes a link that signs in the member with this email, whoever asks. */
export async function makeSignInLink(
  store: Store,
  publicUrl: string,
  email: string,
): Promise<Reply> {
  const person = await findPersonByEmail(store.db, email);
  if (person === undefined) return { error: 'No member has this email.' };
  const { organizationId, id: userId } = person;
  const { secret, expiresAt } = await store.transaction((tx) =>
    createSignInLink(tx, { organizationId, userId, purpose: 'sign_in' }),
  );
  return { url: signInLinkUrl(publicUrl, secret), expiresAt: expiresAt.toISOString() };
}
