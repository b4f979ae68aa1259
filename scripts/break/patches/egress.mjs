import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/egress';

export const egressPatches = [
  {
    name: 'egress-private-address',
    means: 'An integration can be pointed at machines of the internal network.',
    file: `${SRC}/addresses.ts`,
    search: "  if (address.range() !== 'unicast') return false;\n",
    replace: '',
    test: serverTest(
      'egress/addresses.test.ts',
      'the address policy > refuses link-local, metadata of AWS, GCP and Azure (169.254.169.254)',
    ),
  },
  {
    name: 'egress-unchecked-write',
    means: 'An integration with a private address can be registered.',
    file: 'apps/server/src/resources/integrations/policy.ts',
    search: "    egress.checkUrl(url, authMode === 'none' ? 'nothing' : 'credentials');\n",
    replace: '',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'POST /integrations > refuses a proxied address outside the egress policy, and leaves others to the dial',
    ),
  },
  {
    name: 'egress-checks-first-address',
    means: 'A name with a public and a private address gives access to the internal network.',
    file: `${SRC}/connector.ts`,
    search: ': denialOf(addresses.map(({ address }) => address));',
    replace: ': denialOf([first.address]);',
    test: serverTest(
      'egress/dial.test.ts',
      'dialling > refuses a name when only one of its addresses is not allowed',
    ),
  },
  {
    name: 'egress-dials-literals',
    means:
      'The service connects to an internal address before it denies it, which reveals what listens there.',
    file: `${SRC}/connector.ts`,
    search: 'isIP(target.hostname) === 0 ? undefined : denialOf([target.hostname]);',
    replace: 'isIP(target.hostname) < 9 ? undefined : denialOf([target.hostname]);',
    test: serverTest(
      'egress/dial.test.ts',
      'dialling > refuses the literal address 127.0.0.1, which no lookup sees',
    ),
  },
  {
    name: 'egress-plain-credentials',
    means: 'Credentials travel unencrypted over the internet.',
    file: `${SRC}/create-pool.ts`,
    search: "credential.length > 0 && origin.startsWith('http:')",
    replace: "credential.length > 0 && origin.startsWith('never:')",
    test: serverTest(
      'egress/dial.test.ts',
      'dialling > carries credentials over plain http only into the allowed networks',
    ),
  },
  {
    name: 'egress-follows-redirects',
    means: 'A redirect sends the credential to another server.',
    file: `${SRC}/request.ts`,
    search: '  const head = { status: response.statusCode, headers: response.headers };\n',
    replace: `  const { location } = response.headers;
  if (typeof location === 'string') return await exchange(pool, new URL(location, url), request);
  const head = { status: response.statusCode, headers: response.headers };
`,
    test: serverTest('egress/pools.test.ts', 'request > does not follow redirects'),
  },
  {
    name: 'egress-error-text',
    means: 'Errors contain header values and addresses, which then appear in responses and logs.',
    file: `${SRC}/errors.ts`,
    search: "  if (reason !== undefined) return new EgressError('unreachable', reason);\n",
    replace: `  if (reason !== undefined) {
    const failure = new EgressError('unreachable', reason);
    failure.message = String(error);
    return failure;
  }
`,
    test: serverTest(
      'egress/dial.test.ts',
      'dial errors > keeps URLs and header values out of every error',
    ),
  },
  {
    name: 'egress-own-host',
    means: 'An admin registers the gateway itself as an MCP server.',
    file: 'packages/contract/src/rules/own-host.ts',
    search: 'return hostOf(url) === hostOf(publicUrl);',
    replace: 'return String(url) === publicUrl;',
    test: serverTest(
      'egress/check-url.test.ts',
      "checkUrl > refuses the service's own host: http://gatehouse.example.com",
    ),
  },
  {
    name: 'egress-people-share-connections',
    means: 'A faulty upstream that answers twice gives one person what it meant for another.',
    file: `${SRC}/sender.ts`,
    search: 'credential.length === 0 ? userId :',
    replace: "credential.length === 0 ? '' : credential ? fingerprintOf(credential) :",
    test: serverTest(
      'egress/senders.test.ts',
      'a connection > of one person never brings another what was meant for the first',
    ),
  },
  {
    name: 'egress-credentials-share-connections',
    means: 'A faulty upstream answers a call with what it meant for another credential.',
    file: `${SRC}/sender.ts`,
    search: 'credential.length === 0 ? userId :',
    replace: 'credential.length < 99 ? userId :',
    test: serverTest(
      'egress/senders.test.ts',
      'a connection > of one credential never brings another what was meant for the first',
    ),
  },
  {
    name: 'gateway-people-share-connections',
    means: 'The gateway sends the calls of several people over one connection to the upstream.',
    file: 'apps/server/src/gateway/exchange.ts',
    search: 'const sender = { organizationId, userId, credential };',
    replace: 'const sender = { organizationId, userId: userId.slice(99), credential };',
    test: serverTest(
      'gateway/credentials.test.ts',
      'two people share no connection to an upstream, also where they share the server token',
    ),
  },
  {
    name: 'egress-system-threads',
    means: 'A silent name server for one integration holds up the calls to all others.',
    file: `${SRC}/names/query.ts`,
    search: 'resolver.resolve4(name, { ttl: true })',
    replace: `import('node:dns/promises').then(async ({ lookup }) => {
        await Promise.all(Array.from({ length: 4 }, () => lookup(name)));
        return resolver.resolve4(name, { ttl: true });
      })`,
    test: serverTest(
      'egress/names.test.ts',
      'a silent name server > for ten names of one organization holds up no look-up of another',
    ),
  },
  {
    name: 'egress-endless-lookups',
    means: 'One organization can keep the service waiting for any number of names.',
    file: `${SRC}/names/resolve-name.ts`,
    search: 'const MAX_LOOKUPS = 64;',
    replace: 'const MAX_LOOKUPS = 6_400;',
    test: serverTest(
      'egress/names.test.ts',
      'a silent name server > can be made to hold up at most 64 look-ups by one organization',
    ),
  },
  {
    name: 'egress-no-hosts-file',
    means: 'Integrations named in the hosts file can no longer be reached.',
    file: `${SRC}/names/resolve-name.ts`,
    search: 'if (listed.length > 0) return listed;',
    replace: 'if (listed.length > 99) return listed;',
    test: serverTest(
      'egress/names.test.ts',
      'a name > in the hosts file has the addresses that are written there, also those written later',
    ),
  },
  {
    name: 'egress-no-search-list',
    means: 'Services of a Kubernetes cluster can no longer be reached by their short names.',
    file: `${SRC}/names/search-list.ts`,
    search: "if (keyword === 'search') domains = values;",
    replace: "if (keyword === 'search') domains = [];",
    test: serverTest('egress/names.test.ts', 'a search list > of Kubernetes completes mcp'),
  },
  {
    name: 'egress-deadline-waits-for-connections',
    means: 'Validating an integration that cannot be reached takes twice as long as promised.',
    file: `${SRC}/request.ts`,
    search: 'return await untilAborted(request.signal, exchange(pool, url, request));',
    replace: 'return await untilAborted(AbortSignal.any([]), exchange(pool, url, request));',
    test: serverTest(
      'credentials/probe/deadline.test.ts',
      'validate keeps its deadline when the name server is silent',
    ),
  },
  {
    name: 'egress-short-rest',
    means: 'Every call of an agent that thinks for some seconds pays for a new connection.',
    file: `${SRC}/client.ts`,
    search: 'keepAliveTimeout: restFor,',
    replace: 'keepAliveTimeout: 4_000,',
    test: serverTest(
      'egress/rest.test.ts',
      'a connection at rest > is used again after most of a minute',
    ),
  },
  {
    name: 'egress-ignores-keep-alive',
    means: 'Calls are lost on connections of which the upstream had said when it closes them.',
    file: `${SRC}/client.ts`,
    search: 'const AHEAD_OF_UPSTREAM = 1_000;',
    replace: 'const AHEAD_OF_UPSTREAM = -60_000;',
    test: serverTest(
      'egress/rest.test.ts',
      'a connection at rest > is closed before the time that its upstream names',
    ),
  },
  {
    name: 'egress-learns-no-rest',
    means:
      'Again and again a call is lost on a connection that the upstream closes at that moment.',
    file: `${SRC}/create-pool.ts`,
    search: 'if (restLimits.noteClosed(origin, restedFor)) replace();',
    replace: 'if (restLimits.noteClosed(origin, -restedFor)) replace();',
    test: serverTest(
      'egress/rest.test.ts',
      'a connection at rest > that its upstream closes fails no call, and the next ones rest for a shorter time',
    ),
  },
  {
    name: 'egress-no-tls-resumption',
    means: 'Every connection to an upstream pays for a whole TLS handshake.',
    file: `${SRC}/connector.ts`,
    search: 'session: options.tlsSession.get(),',
    replace: '',
    test: serverTest(
      'egress/rest.test.ts',
      'the next connection resumes the session of TLSv1.3, also after a garbage collection',
    ),
  },
];
