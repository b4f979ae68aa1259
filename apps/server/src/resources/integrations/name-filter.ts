import { Prisma } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

/** The page of a list whose names are filtered. */
export interface NamedPage {
  readonly organizationId: string;
  readonly name: string;
  readonly includeArchived: boolean;
  readonly before: string | undefined;
  readonly take: number;
}

/** What pg_trgm certainly makes a trigram of, whatever the database's locale. */
const TRIGRAM = /[a-z0-9]{3}/i;

/**
 * The condition for names that contain a text, in any case. Without a trigram in the text, a trigram
 * index can only be read from end to end, which PostgreSQL would do: then the page's ids are found
 * first, by reading the organization's integrations until the page is full.
 */
export async function whereNamed(db: Db, page: NamedPage): Promise<Prisma.IntegrationWhereInput> {
  if (TRIGRAM.test(page.name)) {
    return { name: { contains: literal(page.name), mode: 'insensitive' } };
  }
  return { id: { in: await findNamed(db, page) } };
}

/** Prisma hands the text of `contains` to ILIKE as it is. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

async function findNamed(
  db: Db,
  { organizationId, name, includeArchived, before, take }: NamedPage,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Integration"
    WHERE "organizationId" = ANY(${oneRangeOf(organizationId).in}::uuid[])
      ${includeArchived ? Prisma.empty : Prisma.sql`AND "archivedAt" IS NULL`}
      ${before === undefined ? Prisma.empty : Prisma.sql`AND "id" < ${before}::uuid`}
      AND strpos(lower("name"), lower(${name})) > 0
    ORDER BY "organizationId", "id" DESC LIMIT ${take}`;
  return rows.map(({ id }) => id);
}
