import { z } from 'zod';
import { NoRoomError } from '../../platform/database/copy-files.ts';
import { readDatabaseStatus } from '../../platform/database/database-status.ts';
import { CommandError } from '../command-error.ts';
import { defineRequest } from '../request.ts';

/** Copies the embedded database as it is now, without writes that are still waiting in memory. */
export const copyDatabaseRequest = defineRequest({
  input: z.strictObject({
    /** A folder of the data directory that the command has made, and deletes. */
    folder: z.string().regex(/^snapshot-\w+$/),
  }),
  reply: z.object({}),
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
});

export const databaseStatusRequest = defineRequest({
  input: z.strictObject({}),
  reply: z.object({
    kind: z.enum(['postgresql', 'pglite']),
    /** Of PostgreSQL, such as 17.2. */
    version: z.string(),
    isReadOnly: z.boolean(),
    /** Milliseconds that the database's clock is ahead of this process's. */
    clockDifference: z.number(),
  }),
  run: ({ store }) => readDatabaseStatus(store),
});
