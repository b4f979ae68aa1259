import type { Role } from '../generated/prisma/enums.ts';
import type { Db } from '../platform/database/store.ts';

/** The properties of a member that sign-in needs. */
export interface Person {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** Emails are stored and compared in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The person with an email. An installation has one organization. If more were made by hand, the person
 * who has had the email longest counts.
 *
 * @param email any spelling
 */
export async function findPersonByEmail(db: Db, email: string): Promise<Person | undefined> {
  const normal = normalizeEmail(email);
  // PostgreSQL cannot store NUL.
  if (normal.includes('\0')) return undefined;
  const found = await db.$queryRaw<Person[]>`
    SELECT "id", "organizationId", "email", "name", "role"::text AS "role", "passwordHash"
    FROM "User"
    WHERE "email" = ${normal} AND "organizationId" = ANY(ARRAY(
      SELECT "id" FROM "Organization" ORDER BY "id" LIMIT 100))
    LIMIT 100`;
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))[0];
}

/** By an id that was read from a row. */
export function findPerson(db: Db, id: string): Promise<Person | null> {
  return db.user.findUnique({
    where: { id },
    select: {
      id: true,
      organizationId: true,
      email: true,
      name: true,
      role: true,
      passwordHash: true,
    },
  });
}
