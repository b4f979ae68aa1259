import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonObject, limits } from '@gatehouse/contract';
import type { ListedKind, Lists } from '../mcp/client/lists.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { canonicalOf } from './fingerprint.ts';
import type { ToolSource } from './known-tool.ts';
import { partsOf } from './parts.ts';

/** Entries of one kind that an integration has at most. */
const MAX_ENTRIES = 1_000;

/** Bytes of a name or URI: a row of an index takes a third of a page. */
const MAX_KEY = 2_048;

const RESOURCE_FIELDS = ['name', 'title', 'description', 'mimeType', 'annotations'];

/** The key of an entry, and the fields that are kept: not `_meta`, icons and unknown ones. */
const KINDS = {
  prompt: { key: 'name', fields: ['name', 'title', 'description', 'arguments'] },
  resource: { key: 'uri', fields: ['uri', 'size', ...RESOURCE_FIELDS] },
  resource_template: { key: 'uriTemplate', fields: ['uriTemplate', ...RESOURCE_FIELDS] },
} as const satisfies Partial<Record<ListedKind, unknown>>;

type Kind = keyof typeof KINDS;

interface Entry {
  readonly key: string;
  /** Canonical JSON; null if it is long, or cannot be made. */
  readonly definition: string | null;
}

/**
 * Writes what the server of an active integration has listed beside its tools, in the place of what it had listed
 * before; in a partial list, what is absent stays as long as there is room. Nothing is written if the integration has
 * another URL by now.
 */
export async function writeListings(
  { db }: Pick<Store, 'db'>,
  source: ToolSource,
  lists: Pick<Lists, Kind | 'partial'>,
): Promise<void> {
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const listed = lists[kind];
    if (listed === undefined) continue;
    const byKey = firstByKey(kind, listed);
    const room = lists.partial?.includes(kind) ? MAX_ENTRIES - byKey.size : 0;
    await deleteOthers(db, source, kind, [...byKey.keys()], room);
    for (const part of partsOf(entriesOf(kind, byKey))) {
      await nextTurn();
      await upsert(db, source, kind, part);
    }
  }
}

/** The first of the entries with the same key. */
function firstByKey(kind: Kind, listed: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const byKey = new Map<string, JsonObject>();
  for (const entry of listed) {
    const key = entry[KINDS[kind].key];
    if (byKey.size === MAX_ENTRIES) break;
    if (typeof key === 'string' && isStored(key) && !byKey.has(key)) byKey.set(key, entry);
  }
  return byKey;
}

function isStored(key: string): boolean {
  return Buffer.byteLength(key) <= MAX_KEY && !/[\0\p{Surrogate}]/u.test(key);
}

function* entriesOf(kind: Kind, byKey: ReadonlyMap<string, JsonObject>): Generator<Entry> {
  for (const [key, entry] of byKey) {
    const text = canonicalOf(entry, KINDS[kind].fields);
    const isShown = text !== undefined && Buffer.byteLength(text) <= limits.listedDefinitionBytes;
    yield { key, definition: isShown ? text : null };
  }
}

/** Writes only entries that have changed. */
async function upsert(
  db: Db,
  { organizationId, integrationId, url }: ToolSource,
  kind: Kind,
  entries: readonly Entry[],
): Promise<void> {
  const keys = entries.map(({ key }) => key);
  const definitions = entries.map(({ definition }) => definition);
  await db.$executeRaw`
    INSERT INTO "ListedEntry" AS t ("integrationId", "organizationId", "kind", "key", "definition", "listedAt")
    SELECT i."id", i."organizationId", ${kind}::"ListedKind", e."key", e."definition", now()
    FROM unnest(${keys}::text[], ${definitions}::text[]) AS e("key", "definition"),
      (SELECT "id", "organizationId" FROM "Integration"
        WHERE "id" = ${integrationId}::uuid AND "organizationId" = ${organizationId}::uuid
          AND "url" = ${url} AND "archivedAt" IS NULL FOR NO KEY UPDATE) i
    ON CONFLICT ("integrationId", "kind", "key") DO UPDATE
      SET "definition" = EXCLUDED."definition", "listedAt" = EXCLUDED."listedAt"
      WHERE t."definition" IS DISTINCT FROM EXCLUDED."definition"`;
}

/** @param room how many others stay: those with the latest changes */
async function deleteOthers(
  db: Db,
  { organizationId, integrationId, url }: ToolSource,
  kind: Kind,
  keys: readonly string[],
  room: number,
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "ListedEntry" t USING "Integration" i
    WHERE t."integrationId" = ${integrationId}::uuid AND t."kind" = ${kind}::"ListedKind"
      AND t."key" = ANY(ARRAY(
        SELECT "key" FROM "ListedEntry"
        WHERE "integrationId" = ${integrationId}::uuid AND "kind" = ${kind}::"ListedKind"
          AND "key" <> ALL(${keys}::text[])
        ORDER BY "listedAt" DESC, "key" OFFSET ${room}))
      AND i."id" = t."integrationId" AND i."organizationId" = ${organizationId}::uuid
      AND i."url" = ${url} AND i."archivedAt" IS NULL`;
}
