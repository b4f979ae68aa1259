import { z } from 'zod';
import { CommandError, EXIT } from '../control/command-error.ts';
import { loadStorage } from '../platform/config/config.ts';
import { defineCommand } from './definition.ts';
import { PASSPHRASE_OPTION } from './passphrase.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Make a data directory from a file of `backup` or `export`.',
  details:
    'GATEHOUSE_DATA_DIR names the directory, which must not have a database yet. The server is started afterwards.',
  arguments: [{ name: 'file', purpose: 'The file to read.' }],
  options: [PASSPHRASE_OPTION],
  example: 'gatehouse restore gatehouse.backup --passphrase-file passphrase',
  input: z.object({ file: z.string().min(1), passphraseFile: z.string().optional() }),
  async run(input, context) {
    const { databaseUrl, dataDir } = loadStorage(context.environment);
    if (databaseUrl === undefined) {
      const { restoreTo } = await import('./take-in.ts');
      return restoreTo('restore', dataDir, input, context);
    }
    throw new CommandError(
      'DATABASE_URL is set: take the file into PostgreSQL with gatehouse import, or a dump of pg_dump with pg_restore.',
      EXIT.usage,
    );
  },
});

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Take everything from a file of `export` or `backup` into an empty database.',
  details:
    'With DATABASE_URL into PostgreSQL, else into the data directory, as `restore` does. Ids, tokens and sealed values stay as they are.',
  arguments: [{ name: 'file', purpose: 'The file to read.' }],
  options: [
    PASSPHRASE_OPTION,
    {
      flags: '--keys-to <path>',
      purpose:
        'PostgreSQL: write the encryption keys of the file into this new file, as a line GATEHOUSE_ENCRYPTION_KEYS=…',
    },
  ],
  example: 'gatehouse import gatehouse.export --keys-to keys.env',
  input: z.object({
    file: z.string().min(1),
    passphraseFile: z.string().optional(),
    keysTo: z.string().min(1).optional(),
  }),
  async run(input, context) {
    const { databaseUrl, dataDir, encryptionKeys = [] } = loadStorage(context.environment);
    const { importTo, restoreTo } = await import('./take-in.ts');
    if (databaseUrl !== undefined) {
      const loadedKeyIds = encryptionKeys.map(({ id }) => id);
      return importTo({ databaseUrl, loadedKeyIds }, input, context);
    }
    if (input.keysTo === undefined) return restoreTo('import', dataDir, input, context);
    throw new CommandError('--keys-to is for PostgreSQL. Set DATABASE_URL.', EXIT.usage);
  },
});
