import { z } from 'zod';
import { CommandError, EXIT } from '../control/command-error.ts';
import { loadStorage } from '../platform/config/config.ts';
import { defineCommand } from './definition.ts';
import { PASSPHRASE_OPTION } from './passphrase.ts';

const FORCE_OPTION = { flags: '--force', purpose: 'Replace the file if it exists.' };

/** The advice for PostgreSQL, which has a better tool. */
const WITH_POSTGRESQL =
  'DATABASE_URL is set: back up PostgreSQL with its own tools, such as pg_dump --format=custom, ' +
  'with the password in a file that PGPASSFILE names, and keep GATEHOUSE_ENCRYPTION_KEYS in another place. gatehouse export writes a file that an embedded installation can read too.';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write everything of an embedded installation into one sealed file.',
  details:
    'It holds the database and the encryption keys of the data directory, at one moment, even while the server runs. A passphrase seals it, in the age format.',
  arguments: [{ name: 'file', purpose: 'The file to write.' }],
  options: [PASSPHRASE_OPTION, FORCE_OPTION],
  example: 'gatehouse backup gatehouse.backup --passphrase-file passphrase',
  input: z.object({
    file: z.string().min(1),
    passphraseFile: z.string().optional(),
    force: z.boolean().optional(),
  }),
  async run(input, context) {
    const storage = loadStorage(context.environment);
    if (storage.databaseUrl !== undefined) throw new CommandError(WITH_POSTGRESQL, EXIT.usage);
    const { exportTo } = await import('./transfer.ts');
    return exportTo(input, storage, context);
  },
});

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write everything into one sealed file that `import` takes into another database.',
  details:
    'For an embedded installation the file is the same as from `backup`. For PostgreSQL it holds the rows; the encryption keys stay in GATEHOUSE_ENCRYPTION_KEYS.',
  arguments: [{ name: 'file', purpose: 'The file to write.' }],
  options: [PASSPHRASE_OPTION, FORCE_OPTION],
  example: 'gatehouse export gatehouse.export',
  input: z.object({
    file: z.string().min(1),
    passphraseFile: z.string().optional(),
    force: z.boolean().optional(),
  }),
  async run(input, context) {
    const { exportTo } = await import('./transfer.ts');
    return exportTo(input, loadStorage(context.environment), context);
  },
});
