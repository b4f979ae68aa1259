import { z } from 'zod';
import type { LiveKeyring } from '../../vault/live-keyring.ts';
import { countRecognized } from '../../vault/sealed-counts.ts';
import { CommandError } from '../command-error.ts';
import type { ControlDeps } from '../deps.ts';
import type { KeyReport } from '../keys/key-report.ts';
import { reportKeys } from '../keys/report-keys.ts';
import type { ControlRequest } from '../request.ts';

/** Seconds after which nothing that was sealed before a change of the key can still be written. */
const SETTLE = 30;

const DAY = 24 * 60 * 60 * 1_000;

const input = z.strictObject({
  id: z.string(),
  /** Also when requests of the last day could no longer be recognized. */
  isUrgent: z.boolean(),
});
const reply = z.object({
  /** How long to wait before the request is sent again; 0 when the key is retired. */
  waitSeconds: z.number(),
  /** False where the operator is to remove it. */
  isRemoved: z.boolean(),
});

/** Gives up a key that nothing needs any more. */
export const keysRetireRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
  async run(deps, { id, isUrgent }) {
    const { store, keys } = deps;
    requireUnused(await reportKeys(store.db, keys), id);
    const waitSeconds = secondsLeft(keys.keyring);
    if (waitSeconds > 0) return { waitSeconds, isRemoved: false };
    if (!isUrgent) await requireUnrecognized(deps, id);
    await store.db.keyCheck.updateMany({
      where: { keyId: id, retiredAt: null },
      data: { retiredAt: new Date() },
    });
    await keys.change?.((present) => present.filter((key) => key.id !== id));
    return { waitSeconds: 0, isRemoved: keys.change !== undefined };
  },
};

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

/** In this process alone: other nodes were restarted after the change, and so have written everything. */
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
