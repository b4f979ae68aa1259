export const patches = [
  {
    name: 'transfer-copy-while-writing',
    promise: 'A backup under load has every write that was acknowledged before it began',
    means: 'A backup under load has half of what was written at that moment, or cannot be opened.',
    file: 'apps/server/src/platform/database/copy-files.ts',
    search: 'await database.runExclusive(() => copyFolder(from, to));',
    replace: 'await copyFolder(from, to);',
    test: {
      file: 'apps/server/test/transfer/snapshot.slow.test.ts',
      name: 'a copy of the database that a server uses > lets statements wait until all files are copied',
    },
  },
  {
    name: 'transfer-last-rows-lost',
    promise: 'Every row of every table is taken along as it is',
    means: 'A backup lacks the last rows of a large table, and nobody notices.',
    file: 'apps/server/src/transfer/read-database.ts',
    search: 'if (found.length === 0) break;',
    replace: 'if (found.length < PAGE) break;',
    test: {
      file: 'apps/server/test/transfer/round-trip.slow.test.ts',
      name: 'a data directory that is restored > has every row of a table that is read in pages',
    },
  },
  {
    name: 'transfer-half-an-import',
    promise: 'A backup that was cut off',
    means: 'A file that was cut off leaves half of an installation in the database.',
    file: 'apps/server/src/transfer/write-database.ts',
    search: "  await database.query('BEGIN');\n",
    replace: '',
    test: {
      file: 'apps/server/test/transfer/round-trip.slow.test.ts',
      name: 'PostgreSQL > is as empty as before when the file turns out to be cut off',
    },
  },
  {
    name: 'transfer-over-other-keys',
    promise: 'No file, no database and no key file is replaced unasked',
    means: 'A restore leaves a database beside keys that do not open it.',
    file: 'apps/server/src/transfer/restore-directory.ts',
    search: 'if (found === keyFile) return true;',
    replace: 'if (found !== null) return true;',
    test: {
      file: 'apps/server/test/transfer/round-trip.slow.test.ts',
      name: 'a data directory that is restored > is left alone when it has a database, or other keys',
    },
  },
];
