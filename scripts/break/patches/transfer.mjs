import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src';
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
];
