import type { Db, Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { nodeName } from '../platform/node-name.ts';
import { KeyringError } from './key-check.ts';
import type { Keyring } from './keyring.ts';

/** What a node reports of itself. */
interface ReportedNode {
  readonly id: string;
  /** Host and process. */
  readonly name: string;
  readonly version: string;
  /** The ids of the loaded keys, the sealing key first. */
  readonly keyIds: readonly string[];
}

/** A node that has reported within its lease. */
export interface RunningNode extends ReportedNode {
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** Seconds that a node counts as running after its last report. */
const NODE_LEASE = 60;

/** Oldest first. */
export function findRunningNodes(db: Db): Promise<RunningNode[]> {
  return db.$queryRaw<RunningNode[]>`
    SELECT "id", "name", "version", "keyIds", "startedAt",
      "leaseUntil" - ${NODE_LEASE} * interval '1 second' AS "lastSeenAt"
    FROM "Node" WHERE "leaseUntil" > now()
    ORDER BY "startedAt", "id" LIMIT 1000`;
}

/** Writes that a node runs, with these keys. */
export async function writeNode(
  db: Db,
  { id, name, version, keyIds }: ReportedNode,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Node" ("id", "name", "version", "keyIds", "startedAt", "leaseUntil")
    VALUES (${id}::uuid, ${name}, ${version}, ${[...keyIds]}::text[], now(),
      now() + ${NODE_LEASE} * interval '1 second')
    ON CONFLICT ("id") DO UPDATE
      SET "keyIds" = excluded."keyIds", "leaseUntil" = excluded."leaseUntil"`;
}

async function deleteNode(db: Db, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM "Node" WHERE "id" = ${id}::uuid OR "leaseUntil" < now() - interval '1 hour'`;
}

/** One process owns an embedded database, so any other row is left over from a process that is gone. */
async function deleteAllNodes(db: Db): Promise<void> {
  await db.$executeRaw`DELETE FROM "Node"`;
}

/** Milliseconds between two reports of a node: several fit into its lease. */
const SPEAK_EVERY = (NODE_LEASE * 1_000) / 4;

interface NodeKeysOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly version: string;
  /** Called when a report of this node could not be written. */
  readonly onError: (error: unknown) => void;
  /** Called once, when another node does not share the sealing keys. */
  readonly onConflict: (error: KeyringError) => void;
}

/** Tells the other nodes, and the command, which keys this node has loaded. */
export interface NodeKeys {
  /** The id of this node. */
  readonly nodeId: string;
  /** To be called when the keys have changed. */
  tell(): Promise<void>;
  /** Whether this node and the others could open each other's sealed values at the last comparison. */
  areShared(): boolean;
  /** Withdraws this node's row. Never rejects. */
  close(): Promise<void>;
}

/**
 * A node first writes its keys and then reads those of the others: of two that start at once, at least
 * one sees the other.
 *
 * @throws KeyringError `not_shared` when a running node could not open what this one would seal, or this
 *   one what that node seals
 */
export async function announceKeys(options: NodeKeysOptions): Promise<NodeKeys> {
  const { store, keyring, version, onError, onConflict } = options;
  const { id } = createId();
  const name = nodeName();
  const tell = () => writeNode(store.db, { id, name, version, keyIds: keyring.ids });
  const check = async () => requireShared(keyring, id, await findRunningNodes(store.db));
  const leave = () => deleteNode(store.db, id);

  if (store.kind === 'pglite') await deleteAllNodes(store.db);
  await tell();
  await check().catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  let isInConflict = false;
  let hasBeenInConflict = false;
  const speak = async (): Promise<void> => {
    try {
      await tell();
      await check();
      isInConflict = false;
    } catch (error) {
      if (!(error instanceof KeyringError)) return onError(error);
      isInConflict = true;
      if (!hasBeenInConflict) onConflict(error);
      hasBeenInConflict = true;
    }
  };
  let speaking: Promise<void> | undefined;
  const timer = setInterval(() => {
    speaking ??= speak().finally(() => {
      speaking = undefined;
    });
  }, SPEAK_EVERY);
  timer.unref();
  return {
    nodeId: id,
    tell,
    areShared: () => !isInConflict,
    async close() {
      clearInterval(timer);
      // A report that is on its way would write the row again, after it was deleted.
      await speaking;
      await leave().catch(onError);
    },
  };
}

/** @throws KeyringError */
function requireShared(keyring: Keyring, id: string, nodes: readonly RunningNode[]): void {
  const others = nodes.filter((node) => node.id !== id);
  const notThere = others.some(({ keyIds }) => !keyIds.includes(keyring.activeId));
  const notHere = others.flatMap(({ keyIds: [sealing = ''] }) =>
    keyring.ids.includes(sealing) ? [] : [sealing],
  );
  const keyIds = [...new Set([...(notThere ? [keyring.activeId] : []), ...notHere])];
  if (keyIds.length > 0) throw new KeyringError('not_shared', keyIds);
}
