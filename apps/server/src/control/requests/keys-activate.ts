import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import type { KeyReport } from '../keys/key-report.ts';
import { reportKeys } from '../keys/report-keys.ts';
import type { ControlRequest } from '../request.ts';

const input = z.strictObject({ id: z.string() });
const reply = z.object({
  /** False where the operator is to put it first. */
  isActive: z.boolean(),
});

/** Makes a key the sealing one, once every node can read with it. */
export const keysActivateRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
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
    if (keys.change === undefined)
      return { isActive: report.nodes.length > 0 && sealsOn(report, id) };
    await keys.change((present) => [
      ...present.filter((one) => one.id === id),
      ...present.filter((one) => one.id !== id),
    ]);
    return { isActive: true };
  },
};

function sealsOn({ nodes }: KeyReport, id: string): boolean {
  return nodes.every(({ keyIds }) => keyIds[0] === id);
}
