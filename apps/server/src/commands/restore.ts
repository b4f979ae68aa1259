import { z } from 'zod';
import { CommandError, EXIT } from '../control/command-error.ts';
import { loadStorage } from '../platform/config/config.ts';
import { restoreDirectory } from '../transfer/restore-directory.ts';
import { type CommandContext, defineCommand, type Outcome } from './definition.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';
import { type FileInput, importedText, reportTo, stoppable } from './transfer.ts';

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
    if (databaseUrl === undefined) return restoreTo(dataDir, input, context);
    throw new CommandError(
      'DATABASE_URL is set: take the file into PostgreSQL with gatehouse import, or a dump of pg_dump with pg_restore.',
      EXIT.usage,
    );
  },
});

/** Makes a data directory from a file. */
export async function restoreTo(
  dataDir: string,
  { file, passphraseFile }: FileInput,
  context: CommandContext,
): Promise<Outcome> {
  const passphrase = await readPassphrase(context, { passphraseFile, isNew: false });
  const restored = await stoppable((signal) =>
    restoreDirectory({ dataDir, path: file, passphrase, signal, onProgress: reportTo(context) }),
  );
  return { json: restored, text: importedText(restored) };
}
