import { Prisma } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

/** A page of a list with a filter by name. */
export interface NamedPage {
  readonly organizationId: string;
  readonly name: string;
  readonly includeArchived: boolean;
  readonly before: string | undefined;
  readonly take: number;
}

/** A text with a trigram for pg_trgm, in letters that every locale can fold. */
const ASCII_TRIGRAM = /^[ -~]*[a-z0-9]{3}[ -~]*$/i;

/**
 * The condition for names that contain a text, in any case. Without a trigram in the text, PostgreSQL
 * would read the whole trigram index. So the ids of the page are found first, by reading the
 * organization's integrations until the page is full. The same is done for letters beyond ASCII,
 * because a database with LC_CTYPE=C cannot fold their case.
 */
export async function whereNamed(db: Db, page: NamedPage): Promise<Prisma.IntegrationWhereInput> {
  if (ASCII_TRIGRAM.test(page.name)) {
    return { name: { contains: literal(page.name), mode: 'insensitive' } };
  }
  return { id: { in: await findIdsByName(db, page) } };
}

/** Prisma does not escape the text of `contains` for ILIKE. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** A regular expression that names each character in every case, and so depends on no locale. */
function inAnyCase(text: string): string {
  return [...text].map((character) => `(?:${casesOf(character).map(escaped).join('|')})`).join('');
}

function casesOf(character: string): string[] {
  return [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
}

function escaped(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** The function `regexp_like`, because the operator `~` may use the trigram index, see above. */
async function findIdsByName(
  db: Db,
  { organizationId, name, includeArchived, before, take }: NamedPage,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Integration"
    WHERE "organizationId" = ANY(${oneRangeOf(organizationId).in}::uuid[])
      ${includeArchived ? Prisma.empty : Prisma.sql`AND "archivedAt" IS NULL`}
      ${before === undefined ? Prisma.empty : Prisma.sql`AND "id" < ${before}::uuid`}
      AND regexp_like("name", ${inAnyCase(name)})
    ORDER BY "organizationId", "id" DESC LIMIT ${take}`;
  return rows.map(({ id }) => id);
}
