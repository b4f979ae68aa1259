import { serverTest } from '../places.mjs';

export const structurePatches = [
  {
    name: 'structure-import-against-arrow',
    means: 'The way out of the service depends on what uses it; nobody can read it by itself.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "import ipaddr from 'ipaddr.js';",
    replace: `import ipaddr from 'ipaddr.js';
export { tokenDestination } from '../credentials/destination.ts';`,
    test: serverTest(
      'structure/arrows.test.ts',
      "the server's folders > import only along the arrows",
    ),
  },
  {
    name: 'structure-sdk-with-dependency',
    means: 'Every user of the SDK installs a schema library.',
    file: 'packages/sdk/src/transport/idempotency.ts',
    search: "import type { Route } from '@gatehouse/contract/routes';",
    replace: `import type { Route } from '@gatehouse/contract/routes';
export { problemSchema } from '@gatehouse/contract';`,
    test: serverTest(
      'structure/arrows.test.ts',
      'the packages > let the SDK import the route table of the contract and nothing else',
    ),
  },
  {
    name: 'structure-long-file',
    means: 'A file grows until nobody reads it.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "import ipaddr from 'ipaddr.js';",
    replace: `import ipaddr from 'ipaddr.js';${'\n'.repeat(400)}`,
    test: serverTest('structure/arrows.test.ts', 'source files > are at most 400 lines long'),
  },
];
