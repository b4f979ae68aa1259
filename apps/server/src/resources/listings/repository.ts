import type { ListedKind } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';

/** A prompt, a resource or a resource template, as it was listed last. */
export interface ListedRow {
  /** Its place in the list: its kind, and its name or URI. */
  readonly id: string;
  readonly kind: ListedKind;
  readonly key: string;
  readonly definition: string | null;
  readonly listedAt: Date;
}

interface ListingsPage {
  readonly kinds: readonly ListedKind[];
  /** The id of the last row of the page before. */
  readonly after?: string | undefined;
  readonly take: number;
}

/** One page by kind, and by name or URI. It reads at most what one integration has, which is limited. */
export function listListed(
  db: Db,
  integrationId: string,
  { kinds, after = '', take }: ListingsPage,
): Promise<ListedRow[]> {
  return db.$queryRaw<ListedRow[]>`
    SELECT * FROM (
      SELECT "kind"::text || ' ' || "key" AS "id", "kind"::text, "key", "definition", "listedAt"
      FROM "ListedEntry"
      WHERE "integrationId" = ${integrationId}::uuid AND "kind" = ANY(${kinds}::"ListedKind"[])
    ) listed
    WHERE "id" > ${after} ORDER BY "id" LIMIT ${take}`;
}
