import { z } from 'zod';
import { CommandError, EXIT } from '../control/command-error.ts';
import { loadStorage } from '../platform/config/config.ts';
import { importPostgresql } from '../transfer/import-postgresql.ts';
import { defineCommand } from './definition.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';
import { restoreTo } from './restore.ts';
import { importedText, reportTo, stoppable } from './transfer.ts';

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
    const { file: path, passphraseFile, keysTo } = input;
    if (databaseUrl === undefined) {
      if (keysTo === undefined) return restoreTo(dataDir, input, context);
      throw new CommandError('--keys-to is for PostgreSQL. Set DATABASE_URL.', EXIT.usage);
    }
    const passphrase = await readPassphrase(context, { passphraseFile, isNew: false });
    const imported = await stoppable((signal) =>
      importPostgresql({
        ...{ databaseUrl, path, passphrase, keysTo, signal },
        loadedKeyIds: encryptionKeys.map(({ id }) => id),
        onProgress: reportTo(context),
      }),
    );
    const isWritten = keysTo !== undefined && imported.keysInside.length > 0;
    return { json: imported, text: importedText(imported, isWritten ? keysTo : undefined) };
  },
});
