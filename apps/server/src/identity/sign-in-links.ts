import type { Role, SignInLinkPurpose } from '../generated/prisma/enums.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret, isSecret, newSecret } from '../platform/secrets.ts';

const MINUTE = 60_000;

/** Milliseconds that a link works. */
const LIFETIME: Readonly<Record<SignInLinkPurpose, number>> = {
  invitation: 7 * 24 * 60 * MINUTE,
  reset: 60 * MINUTE,
  sign_in: 15 * MINUTE,
};

export interface NewSignInLink {
  readonly organizationId: string;
  readonly userId: string;
  readonly purpose: SignInLinkPurpose;
}

/** A link that still works, and its owner. */
export interface SignInLinkHolder {
  readonly purpose: SignInLinkPurpose;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/**
 * Makes a link for a member. Links of the same purpose that they have not used stop working.
 *
 * @returns the secret, of which only the SHA-256 is stored
 */
export async function createSignInLink(
  { db }: Pick<Tx, 'db'>,
  link: NewSignInLink,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSecret();
  const { id, createdAt } = createId();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME[link.purpose]);
  await db.signInLink.deleteMany({ where: { userId: link.userId, purpose: link.purpose } });
  await db.signInLink.create({
    data: { id, createdAt, expiresAt, ...link, hash: hashSecret(secret) },
  });
  return { secret, expiresAt };
}

/** The address that the person opens. */
export function signInLinkUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/sign-in/link/${secret}`;
}

/** Reads a link without using it up. `undefined` when it is unknown, used or expired. */
export async function findSignInLink(
  db: Db,
  secret: string,
): Promise<SignInLinkHolder | undefined> {
  if (!isSecret(secret)) return undefined;
  const [found] = await db.$queryRaw<SignInLinkHolder[]>`
    SELECT l."purpose"::text AS "purpose", l."organizationId", l."userId", u."email", u."name",
      u."role"::text AS "role"
    FROM "SignInLink" l JOIN "User" u ON u."id" = l."userId"
    WHERE l."hash" = ${hashSecret(secret)} AND l."expiresAt" > now()`;
  return found;
}

/**
 * Uses a link up: of several requests at once, one succeeds. @returns its owner; `undefined` when it
 * does not work.
 */
export async function takeSignInLink(
  db: Db,
  secret: string,
  purposes: readonly SignInLinkPurpose[],
): Promise<{ readonly userId: string } | undefined> {
  if (!isSecret(secret)) return undefined;
  const [taken] = await db.$queryRaw<{ userId: string }[]>`
    DELETE FROM "SignInLink"
    WHERE "hash" = ${hashSecret(secret)} AND "expiresAt" > clock_timestamp()
      AND "purpose"::text = ANY(${[...purposes]}::text[])
    RETURNING "userId"`;
  return taken;
}

/** Ends all unused links of a member. */
export async function deleteSignInLinks(db: Db, userId: string): Promise<void> {
  await db.signInLink.deleteMany({ where: { userId } });
}
