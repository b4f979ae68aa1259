export const patches = [
  {
    name: 'structure-import-against-arrow',
    promise: "The server's folders import only downwards",
    means: 'The way out of the service depends on what uses it; nobody can read it by itself.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "import ipaddr from 'ipaddr.js';",
    replace: `import ipaddr from 'ipaddr.js';
export { bearerHeaders } from '../credentials/credential-fields.ts';`,
    test: {
      file: 'apps/server/test/structure/arrows.test.ts',
      name: "the server's folders > import only along the arrows",
    },
  },
  {
    name: 'platform-batches-of-any-size',
    promise: 'Housekeeping changes as many rows at a time as take some 20 ms',
    means: 'Housekeeping holds the process for seconds.',
    file: 'apps/server/src/platform/database/batches.ts',
    search: '(size * TARGET) / Math.max(took, 1)',
    replace: 'size * 2',
    test: {
      file: 'apps/server/test/platform/database/batches.test.ts',
      name: 'changes all rows, in batches of some 20 ms',
    },
  },
  {
    name: 'platform-drops-failed-writes',
    promise: 'What is written behind is tried again after a failure and written at the shutdown',
    means: 'What is written behind is lost when the database is away for a moment.',
    file: 'apps/server/src/platform/write-behind.ts',
    search: 'const left = entries.slice(start);',
    replace: 'const left = entries.slice(entries.length);',
    test: {
      file: 'apps/server/test/platform/write-behind.test.ts',
      name: 'a failed write > is reported, and tried again at the next interval',
    },
  },
];
