import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import {
  createSignInLink,
  findSignInLink,
  signInLinkUrl,
  takeSignInLink,
} from '../../src/identity/sign-in-links.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let owner: { readonly organizationId: string; readonly userId: string };
beforeAll(async () => {
  await bootstrap(store, 'x'.repeat(32));
  const { id: userId, organizationId } = await store.db.user.findFirstOrThrow();
  owner = { organizationId, userId };
});

const make = (purpose: 'invitation' | 'reset' | 'sign_in') =>
  store.transaction((tx) => createSignInLink(tx, { ...owner, purpose }));

describe('a sign-in link', () => {
  it('is 256 random bits, of which the hash alone is stored', async () => {
    const { secret } = await make('reset');
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { hash } = await store.db.signInLink.findFirstOrThrow();
    expect(hash).toHaveLength(32);
    expect(Buffer.from(hash).toString('base64url')).not.toBe(secret);
    expect(signInLinkUrl('https://a.example', secret)).toBe(
      `https://a.example/sign-in/link/${secret}`,
    );
  });

  it('works once, however many use it at once', async () => {
    const { secret } = await make('sign_in');
    const uses = Array.from({ length: 20 }, () => takeSignInLink(store.db, secret, ['sign_in']));
    const taken = (await Promise.all(uses)).filter((use) => use !== undefined);
    expect(taken).toEqual([{ userId: owner.userId }]);
  });

  it('works for its purpose alone', async () => {
    const { secret } = await make('sign_in');
    expect(await takeSignInLink(store.db, secret, ['invitation', 'reset'])).toBeUndefined();
    expect(await findSignInLink(store.db, secret)).toMatchObject({ purpose: 'sign_in', ...owner });
    expect(await takeSignInLink(store.db, secret, ['sign_in'])).toEqual({ userId: owner.userId });
    expect(await findSignInLink(store.db, secret)).toBeUndefined();
  });

  it('works until it expires', async () => {
    const { secret } = await make('reset');
    await store.db.signInLink.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await findSignInLink(store.db, secret)).toBeUndefined();
    expect(await takeSignInLink(store.db, secret, ['reset'])).toBeUndefined();
  });
});
