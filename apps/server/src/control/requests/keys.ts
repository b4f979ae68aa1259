import type { EventDetails } from '@gatehouse/contract';
import { z } from 'zod';
import { operatorBy } from '../../identity/actor.ts';
import { recordForAll } from '../../identity/record-for-all.ts';
import type { Tx } from '../../platform/database/store.ts';
import { assertKeysLoaded } from '../../vault/key-check.ts';
import { createKey, textOfKey } from '../../vault/key-file.ts';
import type { LiveKeyring } from '../../vault/live-keyring.ts';
import { findRunningNodes } from '../../vault/node-keys.ts';
import { rewrap } from '../../vault/rewrap.ts';
import { countRecognized } from '../../vault/sealed-counts.ts';
import { CommandError } from '../command-error.ts';
import { type KeyReport, keyReport, reportKeys } from '../keys.ts';
import { type ControlDeps, defineRequest } from '../request.ts';

export const keysStatusRequest = defineRequest({
  input: z.strictObject({}),
  reply: keyReport,
  run: ({ store, keys }) => reportKeys(store.db, keys),
});

/** Makes a key. In the key file it is readable at once; it does not seal yet. */
export const keysAddRequest = defineRequest({
  input: z.strictObject({}),
  reply: z.object({
    id: z.string(),
    /** `id:base64`, where the operator is to add it; absent where it was added. */
    value: z.string().optional(),
  }),
  async run({ keys }) {
    const key = createKey();
    if (keys.change === undefined) return { id: key.id, value: textOfKey(key) };
    await keys.change(
      (present) => [...present, key],
      recording('keys add', { action: 'installation.key_added', keyId: key.id }),
    );
    return { id: key.id };
  },
});

/** Makes a key the sealing one, once every node can read with it. */
export const keysActivateRequest = defineRequest({
  input: z.strictObject({ id: z.string() }),
  reply: z.object({
    /** False where the operator is to put it first. */
    isActive: z.boolean(),
  }),
  async run({ store, keys }, { id }) {
    const report = await reportKeys(store.db, keys);
    const key = report.keys.find((one) => one.id === id);
    if (key === undefined || (!key.isLoaded && key.nodes.length === 0)) {
      throw new CommandError(`The key ${id} is not loaded. ${report.nextStep}`);
    }
    if (key.isRetired) throw new CommandError(`The key ${id} was retired. Add a new one.`);
    if (key.missingOn.length > 0) {
      throw new CommandError(
        `The key ${id} must be loaded on every node before it seals. It is missing on ${key.missingOn.join(', ')}.`,
      );
    }
    if (keys.change === undefined) return { isActive: key.isSealing && sealsOn(report, id) };
    if (key.isSealing) return { isActive: true };
    await keys.change(
      (present) => [
        ...present.filter((one) => one.id === id),
        ...present.filter((one) => one.id !== id),
      ],
      recording('keys activate', { action: 'installation.key_activated', keyId: id }),
    );
    return { isActive: true };
  },
});

/** Records what a command has done to the keys. */
function recording(command: string, details: EventDetails<'installation'>) {
  return (tx: Tx): Promise<void> => recordForAll(tx, operatorBy(command), details);
}

function sealsOn({ nodes }: KeyReport, id: string): boolean {
  return nodes.every(({ keyIds }) => keyIds[0] === id);
}

/** Milliseconds of work of one request: a command sends one after another until all is done. */
const SLICE = 1_000;

/** At most this many undecryptable rows are named. */
const NAMED = 20;

/** Seals rows of other keys with the sealing key, for about a second. All keys that have sealed rows must be loaded. */
export const keysRewrapRequest = defineRequest({
  input: z.strictObject({}),
  reply: z.object({
    rewrapped: z.number(),
    unreadable: z.number(),
    /** The first of them. */
    named: z.array(z.object({ table: z.string(), id: z.string(), keyId: z.string() })),
    isDone: z.boolean(),
  }),
  async run({ store, keys: { keyring } }) {
    const nodes = await findRunningNodes(store.db);
    const other = nodes.filter(({ keyIds }) => keyIds[0] !== keyring.activeId);
    if (other.length > 0) {
      throw new CommandError(
        `Every node must seal with ${keyring.activeId} first. Restart those that do not: ${other.map(({ name }) => name).join(', ')}.`,
      );
    }
    await assertKeysLoaded(store.db, keyring);
    const done = await rewrap(store.db, keyring, AbortSignal.timeout(SLICE));
    const { unreadable, rewrapped: rows } = done;
    if (rows > 0) {
      const resealed = { action: 'installation.resealed', keyId: keyring.activeId, rows } as const;
      await store.transaction(recording('keys rewrap', resealed));
    }
    return { ...done, unreadable: unreadable.length, named: unreadable.slice(0, NAMED) };
  },
});

/** Seconds after which nothing that was sealed before a change of the key can still be written. */
const SETTLE = 30;

const DAY = 24 * 60 * 60 * 1_000;

/** Gives up a key that nothing needs any more. */
export const keysRetireRequest = defineRequest({
  input: z.strictObject({
    id: z.string(),
    /** Also when requests of the last day could no longer be recognized. */
    isUrgent: z.boolean(),
  }),
  reply: z.object({
    /** How long to wait before the request is sent again; 0 when the key is retired. */
    waitSeconds: z.number(),
    /** False where the operator is to remove it. */
    isRemoved: z.boolean(),
  }),
  async run(deps, { id, isUrgent }) {
    const { store, keys } = deps;
    requireUnused(await reportKeys(store.db, keys), id);
    const waitSeconds = secondsLeft(keys.keyring);
    if (waitSeconds > 0) return { waitSeconds, isRemoved: false };
    if (!isUrgent) await requireUnrecognized(deps, id);
    await store.transaction(async (tx) => {
      const { count } = await tx.db.keyCheck.updateMany({
        where: { keyId: id, retiredAt: null },
        data: { retiredAt: new Date() },
      });
      const retired = { action: 'installation.key_retired', keyId: id } as const;
      if (count > 0) await recording('keys retire', retired)(tx);
    });
    await keys.change?.((present) => present.filter((key) => key.id !== id));
    return { waitSeconds: 0, isRemoved: keys.change !== undefined };
  },
});

function requireUnused({ keys, nodes, nextStep }: KeyReport, id: string): void {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw new CommandError(`There is no key ${id}.`);
  const sealing = nodes.filter(({ keyIds }) => keyIds[0] === id).map(({ name }) => name);
  if (sealing.length > 0) {
    throw new CommandError(
      `The key ${id} still seals on ${sealing.join(', ')}. Make another one seal there first.`,
    );
  }
  if (key.isSealing) {
    throw new CommandError(`The key ${id} still seals here. Make another one seal first.`);
  }
  if (key.total > 0) {
    const tables = Object.entries(key.rows).map(([table, count]) => `${count} of ${table}`);
    throw new CommandError(`Rows are still sealed with ${id}: ${tables.join(', ')}. ${nextStep}`);
  }
}

/**
 * Only this process matters: other nodes were restarted after the change, so they have written
 * everything.
 */
function secondsLeft(keyring: LiveKeyring): number {
  return Math.max(0, Math.ceil(SETTLE - keyring.sealingFor() / 1_000));
}

async function requireUnrecognized({ store }: ControlDeps, id: string): Promise<void> {
  const { count, last } = await countRecognized(store.db, id);
  if (count === 0 || last === null) return;
  const until = new Date(last.getTime() + DAY).toISOString();
  throw new CommandError(
    `Only with ${id} can ${count} requests of the last 24 hours be recognized if a client repeats them. ` +
      `Retire it after ${until}, or now with --now: such a repetition then gets 422.`,
  );
}
