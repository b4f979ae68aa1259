import type { Db } from '../platform/database/store.ts';

/** A running node and its keys. */
export interface RunningNode {
  readonly id: string;
  /** Host and process. */
  readonly name: string;
  readonly version: string;
  /** Of the loaded keys, the sealing one first. */
  readonly keyIds: readonly string[];
}

/** Seconds after its last word for which a node counts as running. */
export const NODE_LEASE = 60;

/** Oldest first. */
export function findRunningNodes(db: Db): Promise<RunningNode[]> {
  return db.$queryRaw<RunningNode[]>`
    SELECT "id", "name", "version", "keyIds" FROM "Node" WHERE "leaseUntil" > now()
    ORDER BY "startedAt", "id" LIMIT 1000`;
}

/** Writes that a node runs, with these keys. */
export async function writeNode(db: Db, { id, name, version, keyIds }: RunningNode): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Node" ("id", "name", "version", "keyIds", "startedAt", "leaseUntil")
    VALUES (${id}::uuid, ${name}, ${version}, ${[...keyIds]}::text[], now(),
      now() + ${NODE_LEASE} * interval '1 second')
    ON CONFLICT ("id") DO UPDATE
      SET "keyIds" = excluded."keyIds", "leaseUntil" = excluded."leaseUntil"`;
}

export async function deleteNode(db: Db, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM "Node" WHERE "id" = ${id}::uuid OR "leaseUntil" < now() - interval '1 hour'`;
}

/** For the embedded database, which one process has alone: what is there was left by processes that are gone. */
export async function deleteAllNodes(db: Db): Promise<void> {
  await db.$executeRaw`DELETE FROM "Node"`;
}
