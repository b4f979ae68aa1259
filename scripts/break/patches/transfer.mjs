import { built, onPostgresql, serverTest } from '../places.mjs';

const SRC = 'apps/server/src';
const STOPPED = 'process/transfer-stopped.test.ts';
const CHECKPOINTS = serverTest(
  'platform/database/checkpoints.test.ts',
  'deletes the log of an embedded database while it is used',
);
const ROUND_TRIP = 'transfer/round-trip.test.ts';

export const transferPatches = [
  {
    name: 'transfer-table-forgotten',
    means: 'What people agreed to is missing after a restore.',
    file: `${SRC}/transfer/tables.ts`,
    search: "  'Consent',\n",
    replace: '',
    test: serverTest('transfer/tables.test.ts', 'takes every table along, or says why not'),
  },
  {
    name: 'transfer-last-rows-lost',
    means: 'A backup lacks the last rows of a large table, and nobody notices.',
    file: `${SRC}/transfer/read-database.ts`,
    search: 'if (found.length === 0) break;',
    replace: 'if (found.length < PAGE) break;',
    test: serverTest(
      ROUND_TRIP,
      'a data directory that is restored > has every row of a table that is read in pages',
    ),
  },
  {
    name: 'transfer-copy-while-writing',
    means: 'A backup under load has half of what was written at that moment, or cannot be opened.',
    file: `${SRC}/platform/database/copy-files.ts`,
    search: 'await database.runExclusive(() => copyFolder(from, to));',
    replace: 'await copyFolder(from, to);',
    test: serverTest(
      'transfer/snapshot.test.ts',
      'a copy of the database that a server uses > lets statements wait until all files are copied',
    ),
  },
  {
    name: 'transfer-over-other-keys',
    means: 'A restore leaves a database beside keys that do not open it.',
    file: `${SRC}/transfer/restore-directory.ts`,
    search: 'if (found === keyFile) return true;',
    replace: 'if (found !== null) return true;',
    test: serverTest(
      ROUND_TRIP,
      'a data directory that is restored > is left alone when it has a database, or other keys',
    ),
  },
  {
    name: 'transfer-half-an-import',
    means: 'A file that was cut off leaves half of an installation in the database.',
    file: `${SRC}/transfer/write-database.ts`,
    search: "  await database.query('BEGIN');\n",
    replace: '',
    test: serverTest(
      ROUND_TRIP,
      'PostgreSQL > is as empty as before when the file turns out to be cut off',
    ),
  },
  {
    name: 'transfer-copy-holds',
    means: 'A backup of a large installation stops all calls while it copies.',
    file: `${SRC}/platform/database/copy-files.ts`,
    search: 'for (const path of files) await copyFile(',
    replace: "for (const path of files) process.getBuiltinModule('node:fs').copyFileSync(",
    test: serverTest(
      'transfer/copy-holds.test.ts',
      'a copy of 200 MB never holds the event loop for 50 ms',
    ),
  },
  {
    name: 'database-never-checkpointed',
    means: 'The log of an embedded database fills the disk.',
    file: `${SRC}/platform/database/checkpoints.ts`,
    search: 'setInterval(run, every)',
    replace: 'setInterval(() => run.name, every)',
    test: CHECKPOINTS,
  },
  {
    name: 'database-keeps-old-log',
    means: 'A backup copies a gigabyte of old log, and requests wait for it.',
    file: `${SRC}/platform/database/pglite.ts`,
    search: ", 'wal_recycle=off'",
    replace: '',
    test: CHECKPOINTS,
  },
  {
    name: 'transfer-without-room',
    means: 'A backup fills the disk, and the server stops.',
    file: `${SRC}/platform/database/copy-files.ts`,
    search: 'if (bavail * bsize < needed)',
    replace: 'if (bavail * bsize < 0)',
    test: serverTest(
      'transfer/no-room.test.ts',
      'where a disk has no room > a copy of the database is not begun',
    ),
  },
  {
    name: 'transfer-stopped-half-file',
    means: 'A backup that was stopped leaves half a file.',
    file: `${SRC}/transfer/write-new-file.ts`,
    search: '    await rm(draft, { force: true });\n',
    replace: '',
    test: serverTest(STOPPED, 'Ctrl-C > during backup leaves no file, and no copy', built),
  },
  {
    name: 'transfer-stopped-half-restored',
    means: 'A restore that was stopped leaves half a database.',
    file: `${SRC}/transfer/restore-directory.ts`,
    search: '    await rm(draft, { recursive: true, force: true });\n',
    replace: '',
    test: serverTest(STOPPED, 'Ctrl-C > during restore leaves no database and no keys', built),
  },
  {
    name: 'transfer-stopped-keys-left',
    means: 'An import that was stopped leaves encryption keys, and cannot be tried again.',
    file: `${SRC}/transfer/import-postgresql.ts`,
    search: '      await rm(keysTo, { force: true });\n',
    replace: '',
    test: serverTest(
      STOPPED,
      'Ctrl-C > during an import into PostgreSQL leaves no rows and no keys',
      { ...built, ...onPostgresql },
    ),
  },
  {
    name: 'transfer-older-with-newer-tables',
    means: 'The backup of an older version loses what its migrations would have made of the rows.',
    file: `${SRC}/transfer/restore-directory.ts`,
    search: 'await applyMigrations(pgliteAdapter(database), migrations, last);',
    replace: 'await applyMigrations(pgliteAdapter(database), migrations);',
    test: serverTest(
      'process/transfer-older.test.ts',
      'the backup of an older version is restored, migrated by the start, and works',
      built,
    ),
  },
];
