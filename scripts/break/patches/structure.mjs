import { serverTest } from '../places.mjs';

export const structurePatches = [
  {
    name: 'structure-import-against-arrow',
    means: 'The way out of the service depends on what uses it; nobody can read it by itself.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "import ipaddr from 'ipaddr.js';",
    replace: `import ipaddr from 'ipaddr.js';
export { bearerHeaders } from '../credentials/credential-headers.ts';`,
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
      'the packages > let packages/sdk import what is named for it alone',
    ),
  },
  {
    name: 'structure-dynamic-import-against-arrow',
    means:
      'The way out depends on what uses it all the same, where a search for `import` misses it.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "import ipaddr from 'ipaddr.js';",
    replace: `import ipaddr from 'ipaddr.js';
export const credentialHeaders = () => import('../credentials/credential-headers.ts');`,
    test: serverTest(
      'structure/arrows.test.ts',
      "the server's folders > import only along the arrows",
    ),
  },
  {
    name: 'structure-mocks-with-sdk',
    means: 'Whoever mocks the API gets a client too, of another version than their own.',
    file: 'packages/mocks/src/node.ts',
    search: "import { setupServer } from 'msw/node';",
    replace: `import { setupServer } from 'msw/node';
export { Gatehouse } from '@gatehouse/sdk';`,
    test: serverTest(
      'structure/arrows.test.ts',
      'the packages > let packages/mocks import what is named for it alone',
    ),
  },
  {
    name: 'structure-second-way-out',
    means: 'A request goes out that no address policy has seen.',
    file: 'apps/server/src/credentials/probe/rpc-client.ts',
    search: "import type { IncomingHttpHeaders } from 'node:http';",
    replace: `import { type IncomingHttpHeaders, request } from 'node:http';
export const reach = request;`,
    test: serverTest('structure/way-out.test.ts', 'nothing but egress imports what reaches out'),
  },
  {
    name: 'structure-global-fetch',
    means: 'A request goes out by a function that nobody has to import.',
    file: 'apps/server/src/credentials/probe/rpc-client.ts',
    search: "import type { IncomingHttpHeaders } from 'node:http';",
    replace: `import type { IncomingHttpHeaders } from 'node:http';
export const reach = (url: string) => fetch(url);`,
    test: serverTest(
      'structure/way-out.test.ts',
      'nothing at all calls a global function that reaches out',
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
