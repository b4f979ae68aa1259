import { serverTest, suiteTest } from '../places.mjs';

const SRC = 'apps/server/src/http';

export const httpPatches = [
  {
    name: 'http-no-role-check',
    means: 'Members may do what only admins and owners may do.',
    file: `${SRC}/authorize-route.ts`,
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
    file: `${SRC}/authorize-route.ts`,
    search: "  if (operation !== 'me.get') requireScope(actor, scope);\n",
    replace: '',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      'POST /tokens > limits a token to its scopes',
    ),
  },
  {
    name: 'http-any-host',
    means: 'A web page can reach a server on localhost under its own host name (DNS rebinding).',
    file: `${SRC}/host-and-origin.ts`,
    search: 'host.toLowerCase() !== publicHost && !LOOPBACK.test(host)',
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
    name: 'http-replacement-characters',
    means: 'Bytes that are not UTF-8 are stored as replacement characters.',
    file: 'packages/contract/src/shared/json-body.ts',
    search: "new TextDecoder('utf-8', { fatal: true })",
    replace: "new TextDecoder('utf-8')",
    test: serverTest(
      'http/conventions.test.ts',
      'a body > that is not UTF-8 is malformed, and stores nothing',
    ),
  },
  {
    name: 'http-cursor-spellings',
    means: 'A cursor that was altered is taken.',
    file: `${SRC}/cursor.ts`,
    search: '!isOurs || textOf(keyId, lastId, tag) !== cursor',
    replace: '!isOurs',
    test: serverTest('http/cursor.test.ts', 'a cursor > with a blank in its JSON is refused'),
  },
  {
    name: 'http-metrics-first-of-two',
    means: '/metrics trusts the first of two Authorization headers.',
    file: `${SRC}/health.ts`,
    search: '  checkRepeatedIdentity(req.rawHeaders);\n',
    replace: '',
    test: serverTest(
      'http/conventions.test.ts',
      'health and metrics > refuses /metrics with two Authorization headers',
    ),
  },
  {
    name: 'http-reset-without-answer',
    means: 'A client that sends too many headers gets a reset instead of an answer.',
    file: `${SRC}/node-errors.ts`,
    search: '  lingerThenDestroy(socket);',
    replace: '  socket.destroy();',
    test: serverTest(
      'http/node-errors.test.ts',
      'what Node refuses by itself > is 431 for a thousand headers, and arrives before the connection ends',
    ),
  },
  {
    name: 'http-ignored-change',
    means: 'A PATCH with a change that it cannot make answers 200 and changes nothing.',
    file: `${SRC}/fixed-fields.ts`,
    search: 'if (errors.length === 0) return;',
    replace: 'if (errors.length < 2) return;',
    test: suiteTest(
      'server',
      'Bodies and the order of checks > a read-only field that someone may mean to change is taken only as it is',
    ),
  },
];
