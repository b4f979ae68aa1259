import { service } from './identity/actor.ts';
import { createSignInLink } from './identity/sign-in-links.ts';
import { createTokenSecret, hashToken, insertToken, type NewToken } from './identity/tokens.ts';
import type { Store, Tx } from './platform/database/store.ts';
import { createId } from './platform/ids.ts';

/** What the first start makes for the owner and shows once. */
export interface OwnerSecrets {
  readonly token: string;
  /** Of a link with which the owner chooses a password. */
  readonly signInLink: string;
}

/** What a start has written. */
export interface Bootstrapped {
  /** Whether the database was empty. */
  readonly isFirst: boolean;
  /** The secret of the owner's token, if it was made here. */
  readonly token?: string;
}

/**
 * Creates an organization, its owner and the owner's personal access token in an empty database. Of two
 * processes that start at once, one does so.
 *
 * @param givenToken the secret of the owner's token.
 * @param show shows secrets that are made here, if no token is given. It is called before the commit: when it
 *   throws, nothing has been created. Left out where no person reads the output: then no secret is made,
 *   and the owner gets the first token by a command.
 * @param organizationName what people read when a client asks for their consent
 */
export async function bootstrap(
  store: Store,
  givenToken?: string,
  show?: (secrets: OwnerSecrets) => void,
  organizationName = 'Default organization',
): Promise<Bootstrapped> {
  return store.transaction(async (tx) => {
    const { db } = tx;
    await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse:bootstrap', 0))`;
    if ((await db.organization.count()) > 0) return { isFirst: false };
    const organization = await db.organization.create({
      data: { ...createId(), name: organizationName },
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
    tx.record({
      action: 'member.created',
      actor: service(organization.id, 'start'),
      targetId: owner.id,
      role: owner.role,
    });
    const { id: userId, organizationId } = owner;
    if (givenToken !== undefined) {
      await insertFirstToken(tx, owner, Buffer.from(hashToken(givenToken)));
      return { isFirst: true };
    }
    if (show === undefined) return { isFirst: true };
    const { secret: token, hash } = createTokenSecret('personal');
    await insertFirstToken(tx, owner, hash);
    const link = await createSignInLink(tx, { organizationId, userId, purpose: 'invitation' });
    show({ token, signInLink: link.secret });
    return { isFirst: true, token };
  });
}

const FIRST_SCOPES = ['mcp', 'management:read', 'management:write'] as const;

async function insertFirstToken(
  { db, record }: Tx,
  { id: userId, organizationId }: { readonly id: string; readonly organizationId: string },
  hash: NewToken['hash'],
): Promise<void> {
  const { id: targetId } = await insertToken(db, {
    organizationId,
    userId,
    kind: 'personal',
    name: 'First start',
    hash,
    scopes: FIRST_SCOPES,
    expiresAt: null,
  });
  const actor = service(organizationId, 'start');
  record({ action: 'token.created', actor, targetId, userId, scopes: FIRST_SCOPES });
}
