import { z } from 'zod';
import { NoRoomError } from '../../platform/database/copy-files.ts';
import { CommandError } from '../command-error.ts';
import type { ControlRequest } from '../request.ts';

const input = z.strictObject({
  /** A folder of the data directory that the command has made, and deletes. */
  folder: z.string().regex(/^snapshot-\w+$/),
});
const reply = z.object({});

/** Copies the embedded database as it is now. What the server is about to write is not in it. */
export const copyDatabaseRequest: ControlRequest<z.infer<typeof input>, z.infer<typeof reply>> = {
  input,
  reply,
  async run({ store }, { folder }) {
    if (store.copyFiles === undefined) {
      throw new CommandError('The server uses PostgreSQL. Set DATABASE_URL as the server has it.');
    }
    try {
      await store.copyFiles(folder);
      return {};
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      throw new CommandError(error.message, undefined, { cause: error });
    }
  },
};
