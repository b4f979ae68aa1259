import { serverTest, suiteTest } from '../places.mjs';

const SRC = 'apps/server/src/http';

export const httpPatches = [
  {
    name: 'http-no-role-check',
    means: 'Members may do what only admins and owners may do.',
    file: `${SRC}/route-access.ts`,
    search: "  if (route.access === 'admin') requireAdmin(actor);\n",
    replace: '',
    test: serverTest(
      'http/authorization.test.ts',
      "'integrations.create' > answers the member as the table says",
    ),
  },
  {
    name: 'http-no-scope-check',
    means: 'A token that may only read may write.',
    file: `${SRC}/route-access.ts`,
    search: '  if (route !== routes.me.get) requireScope(actor, scope);\n',
    replace: '',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      'POST /tokens > limits a token to its scopes',
    ),
  },
  {
    name: 'http-authority-of-the-first-byte',
    means: 'A request whose body comes slowly is carried out for a removed member.',
    file: `${SRC}/authorize-again.ts`,
    search: 'await lockActor(db, actorOf(res))',
    replace: 'actorOf(res)',
    test: serverTest(
      'http/authority.test.ts',
      "'members.create' > does nothing for a caller who loses the membership between head and body",
    ),
  },
  {
    name: 'http-role-of-the-first-byte',
    means: 'A request whose body comes slowly is carried out for an admin who was demoted.',
    file: `${SRC}/authorize-again.ts`,
    search: '  requireAccess(actor, routeOfRequest(res));\n',
    replace: '',
    test: serverTest(
      'http/authority.test.ts',
      "'members.create' > does nothing for a caller who loses the role between head and body",
    ),
  },
  {
    name: 'http-replay-to-anybody',
    means: 'A stored response is replayed to a caller whose request would be refused.',
    file: `${SRC}/mutate.ts`,
    search: '    await authorize?.({ db: tx.db, actor });\n',
    replace: '',
    test: suiteTest(
      'server',
      'Idempotency keys > a demoted owner does not get the invitation of an owner again',
    ),
  },
  {
    name: 'http-invitation-shares-keys',
    means: 'A spent invitation gets the secret of a token that its member made.',
    file: `${SRC}/mutate.ts`,
    search: "return actor.tokenKind === 'invitation'",
    replace: "return actor.tokenId === ''",
    test: suiteTest(
      'server',
      'Idempotency keys > an invitation gets its own response again, and no other',
    ),
  },
  {
    name: 'http-any-host',
    means: 'A web page can reach a server on localhost under its own host name (DNS rebinding).',
    file: `${SRC}/host-and-origin.ts`,
    search: '!publicHosts.includes(host.toLowerCase()) && !LOOPBACK.test(host)',
    replace: "host === ''",
    test: serverTest(
      'http/conventions.test.ts',
      'Host, Origin and repeated headers > refuses a Host that is not ours',
    ),
  },
  {
    name: 'http-no-if-match',
    means: 'The later of two concurrent changes silently wins.',
    file: 'apps/server/src/platform/precondition.ts',
    search: 'if (precondition.versions.includes(version)) return;',
    replace: 'if (precondition.versions) return;',
    test: serverTest(
      'resources/integrations/update.test.ts',
      'PATCH /integrations/:id > lets If-Match win only for the present version',
    ),
  },
  {
    name: 'http-lost-idempotency-key',
    means: 'A repeated create makes a second integration.',
    file: `${SRC}/stored-responses.ts`,
    search: '      await insert(tx.db, request, response);\n',
    replace: '',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'POST /integrations > makes one integration for one Idempotency-Key',
    ),
  },
  {
    name: 'http-key-of-another-body',
    means: 'A request gets the response to a different request.',
    file: `${SRC}/stored-responses.ts`,
    search: 'if (!mac.verify(keyId, bodyText(request), tag)) {',
    replace: 'if (!keyId) {',
    test: serverTest(
      'resources/applications/oauth.test.ts',
      'an Idempotency-Key > is refused for another body',
    ),
  },
  {
    name: 'http-answer-in-answer',
    means: 'A bad chunk of a request puts an error page into the middle of its response.',
    file: `${SRC}/node-errors.ts`,
    search: 'pending.headersSent || ',
    replace: '',
    test: serverTest(
      'http/node-errors.test.ts',
      'a response under way > that has begun is broken off, and no other is written into it',
    ),
  },
  {
    name: 'http-key-of-one-spelling',
    means: 'A repeated request whose id is written in upper case is carried out again.',
    file: `${SRC}/mutate.ts`,
    search: 'String(req.params[name]).toLowerCase(),',
    replace: 'String(req.params[name]),',
    test: suiteTest(
      'server',
      'Idempotency keys > an id in the path means the same however it is written',
    ),
  },
  {
    name: 'http-page-skips-a-row',
    means: 'One item at every page break is never listed.',
    file: `${SRC}/page.ts`,
    search: 'const last = page.at(-1);',
    replace: 'const last = rows.at(-1);',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'GET /integrations > walks all pages, newest first, each integration once',
    ),
  },
  {
    name: 'http-cursor-of-another-list',
    means: 'A cursor of one list is accepted by another and leads to arbitrary rows.',
    file: `${SRC}/cursor.ts`,
    search: '    list,\n    actor.organizationId,',
    replace: '    actor.organizationId,',
    test: suiteTest(
      'server',
      'Pagination > a cursor is of no use with other filters, in another list or organization',
    ),
  },
  {
    name: 'http-cursor-of-another-user',
    means: "A cursor of another user's list is accepted.",
    file: `${SRC}/cursor.ts`,
    search: 'perUser ? actor.userId : null,',
    replace: 'perUser,',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      "GET /tokens > lists one's own newest first, page by page, and refuses another list's cursor",
    ),
  },
  {
    name: 'http-cursor-of-another-filter',
    means: 'Continuing a list with another filter silently skips items.',
    file: `${SRC}/cursor.ts`,
    search: '    filters,\n    lastId,',
    replace: '    lastId,',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'GET /integrations > takes a cursor only with the filters and the organization it was made for',
    ),
  },
  {
    name: 'http-unlimited-guessing',
    means: 'Tokens can be guessed as fast as the network allows.',
    file: `${SRC}/identify.ts`,
    search: 'throw await limitFailedAuthentication(error, () => rateLimit.countFailure(address));',
    replace: 'if (address) throw error;',
    test: serverTest(
      'http/rate-limit.test.ts',
      'failed authentications > slows guessing at GET /api/v1/me down without shutting out a good token',
    ),
  },
  {
    name: 'http-cause-in-answer',
    means: 'An internal error shows its cause: statements, paths, addresses.',
    file: `${SRC}/problem.ts`,
    search: "'Something went wrong on our side.'",
    replace: 'String(thrown)',
    test: serverTest(
      'http/handle-error.test.ts',
      'a failure of ours is 500 without its cause, and logged without its message',
    ),
  },
  {
    name: 'http-query-in-log',
    means: 'The query of a URL is logged.',
    file: `${SRC}/access-log.ts`,
    search: 'route: route?.path,',
    replace: 'route: req.originalUrl,',
    test: serverTest(
      'http/access-log.test.ts',
      'a request is logged by the template of its route, without anything its caller sent',
    ),
  },
  {
    name: 'http-mcp-scope-writes',
    means: 'A token that was made for an MCP client manages the organization.',
    file: `${SRC}/route-access.ts`,
    search: "if (route !== routes.me.get) requireScope(actor, scope);",
    replace:
      "if (route !== routes.me.get && !actor.scopes.includes('mcp')) requireScope(actor, scope);",
    test: serverTest(
      'http/authorization.test.ts',
      "'applications.rotateSecret' > refuses a token with the scope of the gateway alone",
    ),
  },
  {
    name: 'http-drains-without-end',
    means: 'A refused client goes on sending for as long as it likes.',
    file: `${SRC}/drain-rest.ts`,
    search: 'if (left < 0) close();',
    replace: 'if (left < -Number.MAX_VALUE) close();',
    test: serverTest(
      'http/connection.test.ts',
      'after an early refusal > the rest of a body is read up to a bound, and the response arrives',
    ),
  },
  {
    name: 'http-resets-proxies',
    means: 'Behind a proxy that sends the whole body first, a refusal becomes a 502.',
    file: `${SRC}/drain-rest.ts`,
    search: '    socket.end();\n    req.once',
    replace: '    socket.destroy();\n    req.once',
    test: serverTest(
      'http/connection.test.ts',
      'after an early refusal > a proxy that sends the whole body before it reads gets the response, by HTTP/1.0',
    ),
  },
  {
    name: 'http-pipelined-at-once',
    means: 'A client that sends requests ahead makes the server hold all their responses.',
    file: `${SRC}/connection.ts`,
    search: 'if (this.#current === undefined) {\n',
    replace: 'if (this.#waiting.length === 0) {\n',
    test: serverTest(
      'http/connection.test.ts',
      'requests that a client sends ahead > wait while the response before is not read',
    ),
  },
  {
    name: 'http-unread-response-stays',
    means: 'A response that nobody reads stays in memory.',
    file: `${SRC}/connection.ts`,
    search: 'this.#socket.setTimeout(this.#limits.writeStall);',
    replace: 'this.#socket.setTimeout(0);',
    test: serverTest('http/connection.test.ts', 'a response that nobody reads ends the connection'),
  },
  {
    name: 'http-slow-bodies',
    means: 'A client holds a connection by sending a byte now and then.',
    file: `${SRC}/connection.ts`,
    search: 'if (isSlow) server.emit',
    replace: 'if (isSlow && now === 0) server.emit',
    test: serverTest(
      'http/connection.test.ts',
      'a request body > that arrives too slowly is refused',
    ),
  },
  {
    name: 'http-default-port-refused',
    means: 'Behind a proxy that writes out the default port, every request is refused.',
    file: `${SRC}/host-and-origin.ts`,
    search: "return port === '' ? [host,",
    replace: "return port === 'none' ? [host,",
    test: serverTest(
      'http/host-and-origin.test.ts',
      'the service at http://example.org is available under the Host Example.org:80',
    ),
  },
  {
    name: 'http-stored-response-of-nobody',
    means: 'Who can write to the database has the secret in one response replayed to another user.',
    file: 'apps/server/src/http/stored-responses.ts',
    search: 'boundTo: [actor.userId, operation, key],',
    replace: 'boundTo: [operation],',
    test: serverTest(
      'http/stored-responses.test.ts',
      'a stored response that was made over to another user in the database is not replayed',
    ),
  },
];
