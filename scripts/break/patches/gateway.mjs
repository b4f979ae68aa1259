import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/gateway';

export const gatewayPatches = [
  {
    name: 'gateway-no-scope-check',
    means: 'A token without the scope mcp uses the gateway.',
    file: `${SRC}/authorize-call.ts`,
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
    name: 'gateway-get-outside-session',
    means:
      'An upstream that speaks HTTP+SSE tells the client where on our origin to send its calls.',
    file: `${SRC}/relay.ts`,
    search: 'if (isOutsideSession(call)) {',
    replace: 'if (isOutsideSession(call) && call.hasEnded) {',
    test: serverTest(
      'gateway/steering.test.ts',
      'a GET outside a session > gets 405 without reaching the upstream, as where there is no stream',
    ),
  },
  {
    name: 'gateway-passes-endpoint',
    means: 'An upstream sends an endpoint event on the stream of a session.',
    file: `${SRC}/response.ts`,
    search: 'if (this.#endpoint?.feed(chunk)) {',
    replace: 'if (this.#endpoint?.feed(chunk) && call.hasEnded) {',
    test: serverTest(
      'gateway/steering.test.ts',
      'an endpoint event of an upstream > never reaches the client of a GET in a session',
    ),
  },
  {
    name: 'gateway-passes-hidden-stream',
    means: 'An upstream hides an endpoint event by compressing its stream.',
    file: `${SRC}/exchange.ts`,
    search: 'status < 300 && !isPlain(headers)',
    replace: 'status < 300 && call.hasEnded && !isPlain(headers)',
    test: serverTest(
      'gateway/steering.test.ts',
      'an endpoint event of an upstream > is not hidden by a response that is sent compressed',
    ),
  },
  {
    name: 'gateway-expired-while-sending',
    means: 'A call whose body comes slowly goes to the upstream after its token has expired.',
    file: `${SRC}/exchange.ts`,
    search: 'if (isTokenExpired(actor, Date.now())) {',
    replace: 'if (isTokenExpired(actor, 0)) {',
    test: serverTest(
      'gateway/withdrawn-credential.test.ts',
      'a token that expires > takes a call with it whose body is still coming',
    ),
  },
  {
    name: 'gateway-streams-outlive-expiry',
    means: 'An open stream goes on after its token has expired.',
    file: `${SRC}/open-calls.ts`,
    search: 'isExpiredStream(call, date)',
    replace: '(call.hasEnded && isExpiredStream(call, date))',
    test: serverTest(
      'gateway/withdrawn-credential.test.ts',
      'a token that expires > ends its streams: of a modern client',
    ),
  },
  {
    name: 'gateway-outlives-connection',
    means: 'A call that waits for its upstream goes on after its connection was deleted.',
    file: `${SRC}/recheck.ts`,
    search: "return !isRenewing || current.kind !== 'needs_user' || isDeleted;",
    replace: 'return isRenewing && isDeleted;',
    test: serverTest(
      'gateway/withdrawn-credential.test.ts',
      'a call without a version header > that waits is refused when its connection is deleted',
    ),
  },
  {
    name: 'gateway-streams-outlive-credential',
    means: 'A stream goes on that rests on a server token that was replaced.',
    file: `${SRC}/recheck.ts`,
    search: 'return isStream && !isSameCredential(made, current);',
    replace: 'return false;',
    test: serverTest(
      'gateway/withdrawn-credential.test.ts',
      'a call of a modern client > that is a stream ends when the server token is replaced',
    ),
  },
  {
    name: 'gateway-late-streams',
    means: 'A call whose credential was replaced while it waited becomes a stream that stays.',
    file: `${SRC}/exchange.ts`,
    search: 'if (this.#call.isStream && !this.#call.hasEnded) {',
    replace: 'if (this.#call.isStream && this.#call.hasEnded) {',
    test: serverTest(
      'gateway/withdrawn-credential.test.ts',
      'a call without a version header > becomes no stream that stays after its connection was replaced',
    ),
  },
  {
    name: 'gateway-no-loop-check',
    means: 'An integration that leads back to the gateway calls itself until nothing is left.',
    file: `${SRC}/loop-mark.ts`,
    search: 'if (cdnLoop?.includes(mark)) throw loopDetected();',
    replace: 'if (cdnLoop === mark.toUpperCase()) throw loopDetected();',
    test: serverTest(
      'gateway/loops.test.ts',
      'a call that comes back > is refused, wherever our mark is, and nothing goes up',
    ),
  },
  {
    name: 'gateway-streams-first',
    means:
      'At SIGTERM clients lose their streams while nothing is there to connect to, and give up.',
    file: `${SRC}/open-calls.ts`,
    search: 'if (!this.#isOver()) await this.#waitUntilOver(deadline);',
    replace:
      'for (const call of this.#calls.toArray()) if (isOpenEnded(call)) call.cut(shuttingDown());\n    if (!this.#isOver()) await this.#waitUntilOver(deadline);',
    test: serverTest(
      'gateway/closing.test.ts',
      'a gateway that closes > lets calls finish and refuses new ones, and ends open-ended streams last',
    ),
  },
  {
    name: 'gateway-comments-within-events',
    means: 'A comment that keeps a stream alive tears an event apart.',
    file: `${SRC}/response.ts`,
    search: 'if (this.#boundary?.isBetweenEvents !== true || res.writableNeedDrain) return;',
    replace: 'if (this.#boundary === undefined || res.writableNeedDrain) return;',
    test: serverTest(
      'gateway/stream-comments.test.ts',
      'a silent event stream > gets none before its first event, nor within one',
    ),
  },
  {
    name: 'gateway-no-keep-alive',
    means: 'A load balancer ends a stream that is silent.',
    file: `${SRC}/response.ts`,
    search: '    res.write(KEEP_ALIVE);\n',
    replace: '',
    test: serverTest(
      'gateway/stream-comments.test.ts',
      'a silent event stream > of a GET is kept alive by comments between events',
    ),
  },
  {
    name: 'gateway-cuts-in-silence',
    means: 'A client waits for the response to a request whose stream was cut.',
    file: `${SRC}/call.ts`,
    search: '      this.exchange?.announceEnd(problem);\n',
    replace: '',
    test: serverTest(
      'gateway/stream-comments.test.ts',
      'a stream that the gateway cuts > answers its request in JSON-RPC: modern',
    ),
  },
  {
    name: 'gateway-redirect-unreachable',
    means: 'An integration that redirects is reported as one that cannot be reached.',
    file: 'apps/server/src/gateway/problems.ts',
    search: "'upstream_redirected',\n    `",
    replace: "'upstream_unreachable',\n    `",
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > does not follow a redirect, and says who can help',
    ),
  },
  {
    name: 'gateway-keeps-bodies',
    means: 'A long body stays in memory for as long as its response takes.',
    file: `${SRC}/request-body.ts`,
    search: '  if (isStream) body.scanNow();\n  else body.releaseIds();\n',
    replace: '',
    test: serverTest(
      'gateway/kept-bodies.test.ts',
      'the body of a call that is relayed is not kept after its response',
    ),
  },
  {
    name: 'gateway-keeps-any-body',
    means: 'The bodies of many calls fill the memory.',
    file: `${SRC}/deferred-scan.ts`,
    search: '    if (this.#total + bytes > this.#limits.keptBytesInAll) return false;\n',
    replace: '',
    test: serverTest(
      'gateway/deferred-scan.test.ts',
      'a body that arrives in chunks > is scanned as it arrives beyond the limit of all bodies',
    ),
  },
  {
    name: 'gateway-one-form-of-its-url',
    means: 'A client that wants /mcp at the end of a URL cannot use the gateway.',
    file: `${SRC}/match.ts`,
    search: "const END = '(?:/mcp)?/?",
    replace: "const END = '/?",
    test: serverTest(
      'gateway/relay.test.ts',
      'the relay > is the same at a URL with /mcp at its end',
    ),
  },
  {
    name: 'gateway-no-slash-at-the-end',
    means: 'A client that adds a slash to a URL cannot use the gateway.',
    file: `${SRC}/match.ts`,
    search: "const END = '(?:/mcp)?/?",
    replace: "const END = '(?:/mcp)?",
    test: serverTest('gateway/relay.test.ts', 'the relay > is the same at a URL with / at its end'),
  },
];
