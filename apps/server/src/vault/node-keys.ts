import { hostname } from 'node:os';
import type { Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { KeyringError } from './key-check.ts';
import type { Keyring } from './keyring.ts';
import {
  deleteAllNodes,
  deleteNode,
  findRunningNodes,
  NODE_LEASE,
  type RunningNode,
  writeNode,
} from './nodes.ts';

/** Milliseconds between two words of a node: several of them fit into its lease. */
const SPEAK_EVERY = (NODE_LEASE * 1_000) / 4;

export interface NodeKeysOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly version: string;
  /** Called when this node could not say that it runs. */
  readonly onError: (error: unknown) => void;
  /** Called once, when a node was found that does not share the keys which seal. */
  readonly onConflict: (error: KeyringError) => void;
}

/** Tells the other nodes, and the command, which keys this node has loaded. */
export interface NodeKeys {
  /** To be called when the keys have changed. */
  tell(): Promise<void>;
  /** Whether this node and the others could open what each seals, when they were last compared. */
  areShared(): boolean;
  /** This node does not run any more. Never rejects. */
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
  const name = `${hostname()}:${process.pid}`;
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
  const timer = setInterval(() => void speak(), SPEAK_EVERY);
  timer.unref();
  return {
    tell,
    areShared: () => !isInConflict,
    async close() {
      clearInterval(timer);
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
