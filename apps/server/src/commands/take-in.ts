import { importPostgresql } from '../transfer/import-postgresql.ts';
import { restoreDirectory } from '../transfer/restore-directory.ts';
import type { CommandContext, Outcome } from './definition.ts';
import { readPassphrase } from './passphrase.ts';
import { type FileInput, importedText, reportTo, stoppable } from './transfer.ts';

/** Makes a data directory from a file. */
export async function restoreTo(
  command: 'restore' | 'import',
  dataDir: string,
  { file, passphraseFile }: FileInput,
  context: CommandContext,
): Promise<Outcome> {
  const passphrase = await readPassphrase(context, { passphraseFile, isNew: false });
  const restored = await stoppable((signal) =>
    restoreDirectory({
      ...{ command, dataDir, path: file, passphrase, signal },
      onProgress: reportTo(context),
    }),
  );
  return { json: restored, text: importedText(restored) };
}

interface Target {
  readonly databaseUrl: string;
  /** Of GATEHOUSE_ENCRYPTION_KEYS. */
  readonly loadedKeyIds: readonly string[];
}

/** Fills an empty PostgreSQL database from a file. */
export async function importTo(
  target: Target,
  { file: path, passphraseFile, keysTo }: FileInput & { readonly keysTo?: string | undefined },
  context: CommandContext,
): Promise<Outcome> {
  const passphrase = await readPassphrase(context, { passphraseFile, isNew: false });
  const onProgress = reportTo(context);
  const imported = await stoppable((signal) =>
    importPostgresql({
      ...{ ...target, command: 'import', path, passphrase, keysTo },
      ...{ signal, onProgress },
    }),
  );
  const isWritten = keysTo !== undefined && imported.keysInside.length > 0;
  return { json: imported, text: importedText(imported, isWritten ? keysTo : undefined) };
}
