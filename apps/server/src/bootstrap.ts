import { createSignInLink } from './identity/sign-in-links.ts';
import { createTokenSecret, hashToken } from './identity/token-secret.ts';
import { insertToken } from './identity/tokens.ts';
import type { Store } from './platform/database/store.ts';
import { createId } from './platform/ids.ts';

/** What the first start makes for the owner and shows once. */
export interface OwnerSecrets {
  readonly token: string;
  /** Of a link with which the owner chooses a password. */
  readonly signInLink: string;
}

/**
 * Creates an organization, its owner and the owner's personal access token in an empty database. Of
 * two processes that start at once, one does so.
 *
 * @param show shows the secrets that were made here. It is called before the commit: when it throws, nothing
 *   has been created.
 * @returns the secret of the token, if it was made here; undefined when the database was not empty, or
 *   when the token was given. Then no link is made either: what such a start prints is read by nobody.
 */
export async function bootstrap(
  store: Store,
  givenToken?: string,
  show: (secrets: OwnerSecrets) => void = () => {},
): Promise<string | undefined> {
  return store.transaction(async (tx) => {
    const { db } = tx;
    await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse:bootstrap', 0))`;
    if ((await db.organization.count()) > 0) return undefined;
    const organization = await db.organization.create({
      data: { ...createId(), name: 'Default organization' },
    });
    const owner = await db.user.create({
      data: {
        ...createId(),
        organizationId: organization.id,
        email: 'owner@localhost',
        name: 'Owner',
        role: 'owner',
      },
    });
    const { secret, hash } = givenToken
      ? { secret: undefined, hash: Buffer.from(hashToken(givenToken)) }
      : createTokenSecret('personal');
    await insertToken(db, {
      organizationId: organization.id,
      userId: owner.id,
      kind: 'personal',
      name: 'First start',
      hash,
      scopes: ['mcp', 'management:read', 'management:write'],
      expiresAt: null,
    });
    if (secret === undefined) return undefined;
    const { id: userId, organizationId } = owner;
    const link = await createSignInLink(tx, { organizationId, userId, purpose: 'invitation' });
    show({ token: secret, signInLink: link.secret });
    return secret;
  });
}
