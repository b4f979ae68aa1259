export const patches = [
  {
    name: 'egress-private-address',
    promise: 'No connection is opened outside public addresses and the allowed networks',
    means: 'An integration can be pointed at machines of the internal network.',
    file: 'apps/server/src/egress/addresses.ts',
    search: "  if (address.range() !== 'unicast') return false;\n",
    replace: '',
    test: {
      file: 'apps/server/test/egress/addresses.test.ts',
      name: 'the address policy > refuses link-local, metadata of AWS, GCP and Azure (169.254.169.254)',
    },
  },
  {
    name: 'egress-checks-first-address',
    promise: 'No connection is opened outside public addresses and the allowed networks',
    means: 'A name with a public and a private address gives access to the internal network.',
    file: 'apps/server/src/egress/connector.ts',
    search: ': refusalOf(addresses.map(({ address }) => address));',
    replace: ': refusalOf([first.address]);',
    test: {
      file: 'apps/server/test/egress/dial.test.ts',
      name: 'dialling > refuses a name when only one of its addresses is not allowed',
    },
  },
  {
    name: 'egress-people-share-connections',
    promise: 'A connection to an upstream carries the calls of one person with one credential',
    means: 'A faulty upstream that answers twice gives one person what it meant for another.',
    file: 'apps/server/src/egress/sender.ts',
    search: 'credential.length === 0 ? userId :',
    replace: "credential.length === 0 ? '' : credential ? fingerprintOf(credential) :",
    test: {
      file: 'apps/server/test/egress/senders.test.ts',
      name: 'a connection > of one person never brings another the response to the first',
    },
  },
  {
    name: 'gateway-people-share-connections',
    promise: 'A connection to an upstream carries the calls of one person with one credential',
    means: 'The gateway sends the calls of several people over one connection to the upstream.',
    file: 'apps/server/src/gateway/exchange.ts',
    search: 'userId: subjectIdOf(caller), credential };',
    replace: "userId: '', credential };",
    test: {
      file: 'apps/server/test/gateway/credentials.test.ts',
      name: 'two people share no connection to an upstream, also where they share the server token',
    },
  },
  {
    name: 'egress-system-threads',
    promise: 'A name server that is silent for some names holds up no call to any other',
    means: 'A silent name server for one integration holds up the calls to all others.',
    file: 'apps/server/src/egress/names/query.ts',
    search: 'resolver.resolve4(name, { ttl: true })',
    replace: `import('node:dns/promises').then(async ({ lookup }) => {
        await Promise.all(Array.from({ length: 4 }, () => lookup(name)));
        return resolver.resolve4(name, { ttl: true });
      })`,
    test: {
      file: 'apps/server/test/egress/names.test.ts',
      name: 'a silent name server > for ten names of one organization holds up no look-up of another',
    },
  },
  {
    name: 'egress-deadline-waits-for-connections',
    promise: 'Validating an integration takes 10 seconds at most',
    means: 'Validating an integration that cannot be reached takes twice as long as promised.',
    file: 'apps/server/src/egress/request.ts',
    search: 'return await untilAborted(request.signal, exchange(pool, url, request));',
    replace: 'return await untilAborted(AbortSignal.any([]), exchange(pool, url, request));',
    test: {
      file: 'apps/server/test/credentials/probe/deadline.test.ts',
      name: 'validate keeps its deadline when the name server is silent',
    },
  },
  {
    name: 'credentials-redirect-repeats-secret',
    promise: 'Validate names the URL to enter of a redirect within the origin',
    means:
      'A server that repeats a credential in a redirect has it shown in the result of validate.',
    file: 'apps/server/src/mcp/client/same-origin-redirect.ts',
    search: 'path === undefined || isRepeated ? undefined',
    replace: 'path === undefined ? undefined',
    test: {
      file: 'apps/server/test/credentials/probe/redirects.test.ts',
      name: 'validating a server that redirects > shows no part of the location: a path that repeats the credential',
    },
  },
  {
    name: 'credentials-upstream-text-in-validate',
    promise: 'Validate names the URL to enter of a redirect within the origin',
    means: 'Validate repeats the error text of the upstream, which may contain the token.',
    file: 'apps/server/src/mcp/client/response-reader.ts',
    search: '(message.id ?? null) === null ? { errorCode: error.code }',
    replace: '(message.id ?? null) === null ? { errorCode: [error.code, error.message] as never }',
    test: {
      file: 'apps/server/test/mcp/client/response-reader.test.ts',
      name: 'reading the answer to a JSON-RPC request > keeps the code of an error and nothing of its text',
    },
  },
  {
    name: 'structure-second-way-out',
    promise: 'Only the egress folder can open connections to anything but the database',
    means: 'A request goes out that no address policy has seen.',
    file: 'apps/server/src/mcp/client/client.ts',
    search: "import type { IncomingHttpHeaders } from 'node:http';",
    replace: `import { type IncomingHttpHeaders, request } from 'node:http';
export const reach = request;`,
    test: {
      file: 'apps/server/test/structure/way-out.test.ts',
      name: 'only egress imports what reaches the network',
    },
  },
  {
    name: 'structure-global-fetch',
    promise: 'Only the egress folder can open connections to anything but the database',
    means: 'A request goes out by a function that nobody has to import.',
    file: 'apps/server/src/mcp/client/client.ts',
    search: "import type { IncomingHttpHeaders } from 'node:http';",
    replace: `import type { IncomingHttpHeaders } from 'node:http';
export const reach = (url: string) => fetch(url);`,
    test: {
      file: 'apps/server/test/structure/way-out.test.ts',
      name: 'no file calls a global function that reaches the network',
    },
  },
];
