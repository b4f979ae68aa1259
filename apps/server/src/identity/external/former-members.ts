import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';

/*
 * A removed member does not come back by signing in at the provider, only by an invitation. Changes of
 * members lock the organization.
 */

interface Former {
  readonly organizationId: string;
  readonly email: string;
}

export async function rememberFormerMember(
  db: Db,
  { organizationId, email }: Former,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "FormerMember" ("id", "organizationId", "email", "removedAt")
    VALUES (${createId().id}::uuid, ${organizationId}::uuid, ${email}, now())
    ON CONFLICT ("organizationId", "email") DO UPDATE SET "removedAt" = now()`;
}

export async function isFormerMember(db: Db, { organizationId, email }: Former): Promise<boolean> {
  const found = await db.formerMember.findUnique({
    where: { organizationId_email: { organizationId, email } },
    select: { id: true },
  });
  return found !== null;
}

/** Lets an invited person back in. */
export async function forgetFormerMember(db: Db, { organizationId, email }: Former): Promise<void> {
  await db.formerMember.deleteMany({ where: { organizationId, email } });
}
