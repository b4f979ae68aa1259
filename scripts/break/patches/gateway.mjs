import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/gateway';

export const gatewayPatches = [
  {
    name: 'gateway-no-scope-check',
    means: 'A token without the scope mcp uses the gateway.',
    file: `${SRC}/admitter.ts`,
    search: "if (!actor.scopes.includes('mcp')) {",
    replace: 'if (!actor.scopes) {',
    test: serverTest(
      'gateway/refusals.test.ts',
      'a gateway call > is refused with a wrong token, an invitation, or one without the scope mcp',
    ),
  },
  {
    name: 'gateway-foreign-route',
    means: "A token of one organization calls another's integrations.",
    file: `${SRC}/routes.ts`,
    search: `
      AND a."organizationId" = \${organizationId}::uuid\``,
    replace: '`',
    test: serverTest(
      'gateway/refusals.test.ts',
      'a gateway call > finds nothing behind unknown, foreign, detached and archived URLs',
    ),
  },
  {
    name: 'gateway-serves-archived',
    means: 'An archived integration goes on answering.',
    file: `${SRC}/routes.ts`,
    search: 'if (row === undefined || row.isArchived)',
    replace: 'if (row === undefined)',
    test: serverTest(
      'gateway/refusals.test.ts',
      'a gateway call > finds nothing behind unknown, foreign, detached and archived URLs',
    ),
  },
  {
    name: 'gateway-forwards-token',
    means: "The caller's access token reaches the upstream.",
    file: `${SRC}/request-head.ts`,
    search: '    if (value.length >= token.length && value.includes(token)) continue;\n',
    replace: '    if (value === token) continue;\n',
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > sends the credential and no header of the caller that is not listed',
    ),
  },
  {
    name: 'gateway-forwards-cookies',
    means: "The user's cookies reach the upstream.",
    file: `${SRC}/inbound.ts`,
    search: "  ['tracestate', 'forward'],\n",
    replace: "  ['tracestate', 'forward'],\n  ['cookie', 'forward'],\n",
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > sends the credential and no header of the caller that is not listed',
    ),
  },
  {
    name: 'gateway-forwards-session-id',
    means: 'The upstream learns the id under which its session can be used through the gateway.',
    file: `${SRC}/inbound.ts`,
    search: '      inbound.sessionId = value;\n',
    replace: '      inbound.sessionId = value;\n      inbound.forwarded.push(name, value);\n',
    test: serverTest(
      'gateway/sessions.test.ts',
      'a legacy session > has an id of ours, and the upstream only ever sees its own',
    ),
  },
  {
    name: 'gateway-passes-challenge',
    means: 'A client sends its user to whatever login page the upstream names.',
    file: `${SRC}/response-head.ts`,
    search: "  'retry-after',\n",
    replace: "  'retry-after',\n  'www-authenticate',\n",
    test: serverTest(
      'gateway/credentials.test.ts',
      'with a connection > the 403 of an upstream passes, without its challenge',
    ),
  },
  {
    name: 'gateway-passes-redirect',
    means: 'A client follows an upstream out of the gateway, with its token.',
    file: `${SRC}/response-head.ts`,
    search: "  'retry-after',\n",
    replace: "  'retry-after',\n  'location',\n",
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > passes content, MCP, cache and retry headers back, and nothing else of the upstream',
    ),
  },
  {
    name: 'gateway-streams-outlive-token',
    means: 'An open stream goes on after its token was revoked.',
    file: `${SRC}/open-calls.ts`,
    search: "    { kind: 'token', id: actor.tokenId },\n",
    replace: '',
    test: serverTest(
      'gateway/revocation.test.ts',
      'an open modern stream is cut > when its token is revoked',
    ),
  },
  {
    name: 'gateway-forgets-arrivals',
    means: 'A call that is being admitted at SIGTERM goes up when nobody waits for its answer.',
    file: `${SRC}/gateway.ts`,
    search: '        openCalls.add(call);\n',
    replace: '',
    test: serverTest(
      'gateway/closing.test.ts',
      'a gateway that closes > waits for a call that is being admitted',
    ),
  },
  {
    name: 'gateway-redirect-unreachable',
    means: 'An integration that redirects is reported as one that cannot be reached.',
    file: 'apps/server/src/gateway/problems.ts',
    search: "'upstream_redirected'",
    replace: "'upstream_unreachable'",
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > does not follow a redirect, and says who can help',
    ),
  },
];
