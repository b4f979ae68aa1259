import { z } from 'zod';
import { assertKeysLoaded } from '../../vault/key-check.ts';
import { findRunningNodes } from '../../vault/nodes.ts';
import { rewrap } from '../../vault/rewrap.ts';
import { CommandError } from '../command-error.ts';
import type { ControlRequest } from '../request.ts';

/** Milliseconds of work of one request: a command sends one after another until all is done. */
const SLICE = 1_000;

/** So many rows that do not open are named. */
const NAMED = 20;

const input = z.strictObject({});
const reply = z.object({
  rewrapped: z.number(),
  unreadable: z.number(),
  /** The first of them. */
  named: z.array(z.object({ table: z.string(), id: z.string(), keyId: z.string() })),
  isDone: z.boolean(),
});

/** Seals rows of other keys with the sealing key, for about a second. All keys that have sealed rows must be loaded. */
export const keysRewrapRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
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
    const { unreadable } = done;
    return { ...done, unreadable: unreadable.length, named: unreadable.slice(0, NAMED) };
  },
};
