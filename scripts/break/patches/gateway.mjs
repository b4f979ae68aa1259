export const patches = [
  {
    name: 'renewed-third-time',
    promise:
      'A call with a credential that the upstream rejects is sent once more if the credential could be renewed',
    means: 'A call with a rejected credential is sent over and over.',
    file: 'apps/server/src/gateway/rejected-credential.ts',
    search: '(hasExpired ? MAX_RENEWALS : 1)',
    replace: '(hasExpired ? MAX_RENEWALS : 2)',
    test: {
      file: 'apps/server/test/gateway/renewed-credential.test.ts',
      name: 'a call with a credential that the upstream rejects > is sent no third time, and the connection says so',
    },
  },
  {
    name: 'renewed-expired-on-the-way',
    promise:
      'A call with a credential that the upstream rejects is sent once more if the credential could be renewed',
    means:
      'A person is asked to connect again because a token expired while a call was on its way.',
    file: 'apps/server/src/gateway/rejected-credential.ts',
    search: "if (hasExpired) return { kind: 'unavailable', reason: 'refresh_failed' };",
    replace: '',
    test: {
      file: 'apps/server/test/gateway/renewed-credential.test.ts',
      name: 'a call with a credential that the upstream rejects > is sent again while each renewed one expires on the way, and nothing is recorded',
    },
  },
  {
    name: 'connect-server-stream-outlives-need',
    promise:
      'Before its user has connected, a client gets an MCP server with one tool that gives the link',
    means: 'A client goes on with the tools of a person who is not connected.',
    file: 'apps/server/src/gateway/connect-server/connect-stream.ts',
    search: 'this.#write(this.#texts.connected);',
    replace: 'this.#write(this.#texts.first);',
    test: {
      file: 'apps/server/test/gateway/connect-server.test.ts',
      name: 'the session > of 2025-06-18 learns it from its stream once the person has connected',
    },
  },
  {
    name: 'connect-server-unsigned-session',
    promise: 'A session id of that server is worth nothing with another token',
    means: 'Anybody can make up the id of a session.',
    file: 'apps/server/src/sessions/connect-session-ids.ts',
    search: "const isGenuine = isOurs && tag.toString('base64url') === text;",
    replace: "const isGenuine = isOurs || tag.toString('base64url') === text;",
    test: {
      file: 'apps/server/test/gateway/connect-server.test.ts',
      name: 'the session > is refused when it was altered anywhere',
    },
  },
  {
    name: 'connect-server-offers-every-era',
    promise: 'That server offers only the eras that the upstream is known to speak',
    means: 'A modern client connects before a legacy upstream, and every call fails from then on.',
    file: 'apps/server/src/mcp/spoken-eras.ts',
    search: "return typeof modern === 'string';",
    replace: 'return modern !== undefined;',
    test: {
      file: 'apps/server/test/gateway/connect-server-eras.test.ts',
      name: 'in front of an upstream that speaks the legacy era alone > a modern client gets what such a server says, with the link',
    },
  },
  {
    name: 'adopted-with-other-words',
    promise:
      'Once its person has connected, a legacy client goes on under the session id that it has',
    means: 'An upstream never asks a client for what it can do, such as a sampling.',
    file: 'apps/server/src/gateway/adoption/begin-session.ts',
    search: '...initializeOf(hello),',
    replace: '...initializeOf({ ...hello, capabilities: {} }),',
    test: {
      file: 'apps/server/test/gateway/adopted-sessions.store.test.ts',
      name: 'a connect session of a person who has connected > goes on under its id, with an upstream that hears what the client had said',
    },
  },
  {
    name: 'adopted-twice',
    promise:
      'Once its person has connected, a legacy client goes on under the session id that it has',
    means: 'Two nodes begin two sessions, and the client is now in one and now in the other.',
    file: 'apps/server/src/sessions/begun-sessions.ts',
    search: 'if (other !== undefined) return other;',
    replace: '',
    test: {
      file: 'apps/server/test/gateway/adopted-sessions.store.test.ts',
      name: 'a connect session of a person who has connected > is one session also where two nodes get a request at the same moment',
    },
  },
  {
    name: 'adopted-after-its-end',
    promise:
      'Once its person has connected, a legacy client goes on under the session id that it has',
    means: 'A session that was revoked begins again.',
    file: 'apps/server/src/sessions/adopted-sessions.ts',
    search: 'if (row?.isOpen === false) throw sessionNotFound();',
    replace: 'if (row?.isOpen === false) return undefined;',
    test: {
      file: 'apps/server/test/gateway/adopted-sessions.store.test.ts',
      name: 'a connect session of a person who has connected > is revoked with the connection',
    },
  },
  {
    name: 'connect-server-session-of-another',
    promise: 'A session id of that server is worth nothing with another token',
    means: 'The session of one person is that of another one too.',
    file: 'apps/server/src/sessions/connect-session-ids.ts',
    search: 'subjectId, bearerId]);',
    replace: 'bearerId.length]);',
    test: {
      file: 'apps/server/test/gateway/connect-server.test.ts',
      name: 'the session > belongs to its caller and one attachment alone',
    },
  },
  {
    name: 'egress-short-rest',
    promise: 'A connection to an upstream rests for up to 60 seconds between two calls',
    means: 'Every call of an agent that thinks for some seconds pays for a new connection.',
    file: 'apps/server/src/egress/client.ts',
    search: 'keepAliveTimeout: restFor,',
    replace: 'keepAliveTimeout: 4_000,',
    test: {
      file: 'apps/server/test/egress/rest.test.ts',
      name: 'a connection at rest > is used again after most of a minute',
    },
  },
  {
    name: 'sessions-write-per-call',
    promise: 'In steady state a call makes no SQL statement',
    means: 'Every call through the gateway costs a write.',
    file: 'apps/server/src/sessions/activity.ts',
    search: '    session.inFlight -= 1;\n',
    replace: `    session.inFlight -= 1;
    void writeActivity(this.#options.db, [{ id: session.id, age: 0 }]);
`,
    test: {
      file: 'apps/server/test/gateway/sessions.store.test.ts',
      name: 'the steady state > of a legacy client makes no SQL statement, in the mode "none"',
    },
  },
  {
    name: 'gateway-get-outside-session',
    promise:
      'Nothing that an upstream sends becomes a request of its client to another path of ours',
    means:
      'An upstream that speaks HTTP+SSE tells the client where on our origin to send its calls.',
    file: 'apps/server/src/gateway/relay.ts',
    search: 'if (isOutsideSession(call)) {',
    replace: 'if (isOutsideSession(call) && call.hasEnded) {',
    test: {
      file: 'apps/server/test/gateway/steering.test.ts',
      name: 'a GET outside a session > gets 405 without reaching the upstream, as where there is no stream',
    },
  },
  {
    name: 'gateway-passes-hidden-stream',
    promise:
      'Nothing that an upstream sends becomes a request of its client to another path of ours',
    means: 'An upstream hides an endpoint event by compressing its stream.',
    file: 'apps/server/src/gateway/exchange.ts',
    search: 'status < 300 && !isPlain(headers)',
    replace: 'status < 300 && call.hasEnded && !isPlain(headers)',
    test: {
      file: 'apps/server/test/gateway/steering.test.ts',
      name: 'an endpoint event of an upstream > does not pass hidden in a response that is sent compressed',
    },
  },
  {
    name: 'gateway-streams-outlive-expiry',
    promise: 'An event stream ends when its token expires',
    means: 'An open stream goes on after its token has expired.',
    file: 'apps/server/src/gateway/open-calls.ts',
    search: 'isExpiredStream(call, date)',
    replace: '(call.hasEnded && isExpiredStream(call, date))',
    test: {
      file: 'apps/server/test/gateway/withdrawn-credential.test.ts',
      name: 'a token that expires > ends its streams: of a modern client',
    },
  },
  {
    name: 'gateway-streams-outlive-credential',
    promise: 'An event stream ends when its token expires',
    means: 'A stream goes on that rests on a server token that was replaced.',
    file: 'apps/server/src/gateway/reauthorize-open-calls.ts',
    search: 'return isStream && !isSameCredential(made, current);',
    replace: 'return false;',
    test: {
      file: 'apps/server/test/gateway/withdrawn-credential.test.ts',
      name: 'a call of a modern client > that is a stream ends when the server token is replaced',
    },
  },
  {
    name: 'gateway-no-loop-check',
    promise: 'A call that comes back to the gateway',
    means: 'An integration that leads back to the gateway calls itself until nothing is left.',
    file: 'apps/server/src/gateway/routes.ts',
    search: 'if (cdnLoop?.includes(mark)) throw loopDetected();',
    replace: 'if (cdnLoop === mark.toUpperCase()) throw loopDetected();',
    test: {
      file: 'apps/server/test/gateway/loops.test.ts',
      name: 'a call that comes back > is refused, wherever our mark is, and nothing goes up',
    },
  },
  {
    name: 'sessions-wait-for-locks',
    promise:
      'Sessions that begin and end at the same time share statements and are counted exactly',
    means: "A locked row delays everyone's sessions.",
    file: 'apps/server/src/sessions/session-writes.ts',
    search: 'openingSteps(opening, Prisma.sql`SKIP LOCKED`)',
    replace: 'openingSteps(opening, Prisma.empty)',
    test: {
      file: 'apps/server/test/sessions/session-writer.store.test.ts',
      name: 'a locked row > holds up the sessions that need it, and no others',
      store: 'postgresql',
    },
  },
  {
    name: 'sessions-without-limit',
    promise: 'Of more than 1,000 open legacy sessions of one person the longest silent are closed',
    means: 'One person may have any number of open sessions.',
    file: 'apps/server/src/sessions/legacy-sessions.ts',
    search: '    this.#deps.limit.noteOpened(caller.subjectId);\n',
    replace: '',
    test: {
      file: 'apps/server/test/sessions/session-limit.store.test.ts',
      name: 'beyond 1,000 open legacy sessions of one person, those silent for longest are closed',
    },
  },
  {
    name: 'gateway-keeps-bodies',
    promise: 'The bodies that are kept whole take 64 MiB in all',
    means: 'A long body stays in memory for as long as its response takes.',
    file: 'apps/server/src/gateway/call.ts',
    search: `    this.giveUpBody();
    this.#reservation`,
    replace: '    this.#reservation',
    test: {
      file: 'apps/server/test/gateway/kept-bodies.test.ts',
      name: 'a body of a declared length of a call that is relayed is not kept after its response',
    },
  },
  {
    name: 'sessions-for-anyone',
    promise: "Another user's token with a stolen session id gets 404",
    means: "Anyone who learns a session id can use another user's session.",
    file: 'apps/server/src/sessions/legacy-sessions.ts',
    search: ' || session.subjectId !== caller.subjectId',
    replace: '',
    test: {
      file: 'apps/server/test/gateway/sessions.store.test.ts',
      name: 'a legacy session > is useless to another user, on POST, GET and DELETE, and on another attachment',
    },
  },
  {
    name: 'gateway-streams-first',
    promise: 'SIGTERM waits for calls (25 s at most)',
    means:
      'At SIGTERM clients lose their streams while nothing is there to connect to, and give up.',
    file: 'apps/server/src/gateway/open-calls.ts',
    search: 'if (!this.#isOver()) await this.#waitUntilOver(deadline);',
    replace: `for (const call of this.#calls.toArray()) if (isOpenEnded(call)) call.cut(shuttingDown());
    if (!this.#isOver()) await this.#waitUntilOver(deadline);`,
    test: {
      file: 'apps/server/test/gateway/closing.test.ts',
      name: 'a gateway that closes > lets calls finish and refuses new ones, and ends open-ended streams last',
    },
  },
  {
    name: 'gateway-comments-within-events',
    promise: 'A silent event stream is kept alive by comments between its events',
    means: 'A comment that keeps a stream alive tears an event apart.',
    file: 'apps/server/src/gateway/response.ts',
    search: 'if (this.#boundary?.isBetweenEvents !== true || res.writableNeedDrain) return;',
    replace: 'if (this.#boundary === undefined || res.writableNeedDrain) return;',
    test: {
      file: 'apps/server/test/gateway/stream-comments.test.ts',
      name: 'a silent event stream > gets no comment before its first event or within an event',
    },
  },
  {
    name: 'gateway-forgets-arrivals',
    promise: 'SIGTERM waits for calls that are being admitted',
    means: 'A call that is being admitted at SIGTERM goes up when nobody waits for its answer.',
    file: 'apps/server/src/gateway/gateway.ts',
    search: '        openCalls.add(call);\n',
    replace: '',
    test: {
      file: 'apps/server/test/gateway/closing.test.ts',
      name: 'a gateway that closes > waits for a call that is being admitted',
    },
  },
  {
    name: 'policy-people-unasked',
    promise: 'Rules about people hold for every request, before its body',
    means: 'A person whom the rules keep out uses the integration.',
    file: 'apps/server/src/gateway/admission.ts',
    search: 'if (reasons.length > 0) throw new PeopleRefused(reasons, { caller, route });',
    replace: '',
    test: {
      file: 'apps/server/test/gateway/policy/people.test.ts',
      name: 'another role keeps a person out, before the body is read',
    },
  },
  {
    name: 'gateway-slow-body-escapes-rules',
    promise: 'A call that has not been sent when rules',
    means: 'A client holds uploads open, and no later rule about names holds for them.',
    file: 'apps/server/src/gateway/policy/under-rules.ts',
    search: 'if (!deps.openCalls.mayHaveChanged(call)) {',
    replace: 'if (deps.openCalls) {',
    test: {
      file: 'apps/server/test/gateway/policy/slow-bodies.test.ts',
      name: 'a call with a body that has not arrived when the first rule is set is judged by it',
    },
  },
  {
    name: 'gateway-filter-resumes-for-slow-client',
    promise: 'A client that reads slowly slows',
    means: 'A filtered list fills the memory while its client does not read.',
    file: 'apps/server/src/gateway/policy/filtered-response.ts',
    search: 'else if (!this.#relayed.isWaiting) controller.resume();',
    replace: 'else controller.resume();',
    test: {
      file: 'apps/server/test/gateway/policy/slow-client.test.ts',
      name: 'a client that takes nothing pauses the upstream, however long the filter takes',
    },
  },
  {
    name: 'policy-one-level-enough',
    promise: 'The gateway sends what the rules of all levels allow',
    means: 'An owner allows what an admin denies.',
    file: 'apps/server/src/gateway/policy/judge.ts',
    search: 'policy?.levels ?? []',
    replace: 'policy?.levels.slice(-1) ?? []',
    test: {
      file: 'apps/server/test/gateway/policy/names.test.ts',
      name: 'the attachment cannot allow what the integration denies',
    },
  },
  {
    name: 'policy-lists-unfiltered',
    promise: 'Entries of lists are cut byte by byte',
    means: 'A list shows tools that may not be called.',
    file: 'apps/server/src/gateway/policy/filtering.ts',
    search: 'reasonsOf(rules.now, list, name, entry).length === 0',
    replace: 'reasonsOf(rules.now, list, name, entry).length >= 0',
    test: {
      file: 'apps/server/test/gateway/policy/lists.test.ts',
      name: 'an entry that is not allowed is cut from JSON',
    },
  },
  {
    name: 'policy-other-charset',
    promise: 'A body that two parsers may read differently does not go up under rules about names',
    means: 'A call is judged in UTF-8, and read by the upstream in another charset.',
    file: 'apps/server/src/gateway/policy/plain-utf8.ts',
    search: 'return areAll(contentType, isUtf8) && areAll(contentEncoding, isIdentity);',
    replace: 'return areAll(contentType, isUtf8) || areAll(contentEncoding, isIdentity);',
    test: {
      file: 'apps/server/test/gateway/policy/names.test.ts',
      name: 'a body that two parsers may read differently > is refused for another charset',
    },
  },
  {
    name: 'pins-first-seen',
    promise:
      'A pinned tool is held, in lists and calls, as soon as its definition is not an approved one',
    means: 'A call is judged by a definition that the server has replaced.',
    file: 'apps/server/src/catalogue/cached-catalogue.ts',
    search: 'return waiting ?? this.#tools.get(name)?.latest;',
    replace: 'return this.#tools.get(name)?.latest ?? waiting;',
    test: {
      file: 'apps/server/test/gateway/policy/pins.test.ts',
      name: 'pinned tools > are held when the description changes between list and call',
    },
  },
  {
    name: 'pins-key-twice',
    promise: 'The fingerprint of a tool changes with everything that a client reads of it',
    means: 'A description that only some clients read is hidden behind an approved one.',
    file: 'apps/server/src/catalogue/canonical-entry.ts',
    search: 'if (key === null || container?.members?.has(key)) this.isClear = false;',
    replace: 'if (key === null) this.isClear = false;',
    test: {
      file: 'apps/server/test/catalogue/fingerprint.test.ts',
      name: 'the fingerprint of a tool > is that of the bytes with a key twice, and says nothing of reading',
    },
  },
  {
    name: 'catalogue-forgets-the-latest',
    promise: 'The catalogue keeps the latest and the approved definitions',
    means: 'A tool that changed after ten approvals counts as approved.',
    file: 'apps/server/src/catalogue/write-sightings.ts',
    search: ' AND t."lastSeenAt" < p."latest"',
    replace: '',
    test: {
      file: 'apps/server/test/catalogue/catalogue.store.test.ts',
      name: 'a catalogue > keeps the latest definition even beside ten approved ones',
    },
  },
  {
    name: 'list-changes-anywhere',
    promise: 'When rules change a list, clients that listen hear of it between two events',
    means: 'A notification is written into the middle of an event.',
    file: 'apps/server/src/gateway/response.ts',
    search: 'if (!(isBefore || this.#boundary?.isBetweenEvents) || res.writableNeedDrain) return;',
    replace: 'if (isBefore && res.writableNeedDrain) return;',
    test: {
      file: 'apps/server/test/gateway/policy/list-changes.test.ts',
      name: 'a subscriptions/listen > hears of the lists that it named, after its acknowledgement and between two events',
    },
  },
  {
    name: 'limits-without-the-database',
    promise: 'No number of nodes lets more requests through in a minute of the database',
    means: 'Each node lets the whole limit through.',
    file: 'apps/server/src/limits/limit-store.ts',
    search: 'CASE WHEN ${isPast} THEN 0 ELSE b."used" END AS "used"',
    replace: '0 AS "used"',
    test: {
      file: 'apps/server/test/limits/shared.store.test.ts',
      name: 'nodes > take a whole batch or nothing',
      store: 'postgresql',
    },
  },
  {
    name: 'limits-slots-of-the-dead',
    promise: 'The requests in progress of a killed node free their room after five seconds.',
    means: 'A killed node keeps its part of a limit for ever.',
    file: 'apps/server/src/limits/limit-store.ts',
    search: ' AND (l."value" ->> 1)::bigint > ${NOW})',
    replace: ')',
    test: {
      file: 'apps/server/test/limits/shared.store.test.ts',
      name: 'nodes > have the slots of a killed node after five seconds',
      store: 'postgresql',
    },
  },
  {
    name: 'limits-batch-counts-once',
    promise: 'A request beyond a limit goes nowhere, and its client learns in JSON-RPC',
    means: 'A batch of a thousand requests counts as one.',
    file: 'apps/server/src/gateway/under-limits.ts',
    search: 'reserve(countRequests(read), read, hasWaited)',
    replace: 'reserve(Math.min(1, countRequests(read)), read, hasWaited)',
    test: {
      file: 'apps/server/test/gateway/call-limits.store.test.ts',
      name: 'what counts > a batch counts its requests, and goes whole or not at all',
    },
  },
  {
    name: 'answer-of-another-session',
    promise: "At an application's one URL, a client's answer to a question of an integration",
    means: 'Any client answers what another one was asked.',
    file: 'apps/server/src/sessions/question-ids.ts',
    search: 'return isOurs ? question : undefined;',
    replace: 'return isOurs || session ? question : undefined;',
    test: {
      file: 'apps/server/test/gateway/aggregate/handed-over.store.test.ts',
      name: 'an answer on another node > is stored for the session that was asked alone',
    },
  },
  {
    name: 'answer-without-announcement',
    promise: "At an application's one URL, a client's answer to a question of an integration",
    means: 'A call waits for ten minutes for an answer that is there.',
    file: 'apps/server/src/gateway/aggregate/translation/questions.ts',
    search: "if (changes === 'everything') {\n      this.#look();",
    replace: "if (changes === 'everything') {",
    test: {
      file: 'apps/server/test/gateway/aggregate/handed-over.store.test.ts',
      name: 'an answer on another node > is found by the node that has missed its announcement',
    },
  },
  {
    name: 'held-call-forgotten',
    promise: "A call that waits for its client's answer ends within a second",
    means: 'A person who has lost access is asked, and a shutdown ends the call.',
    file: 'apps/server/src/gateway/aggregate/translation/modern-upstream-call.ts',
    search: 'this.#release = this.#deps.relayDeps.openCalls.hold(this);',
    replace: '',
    test: {
      file: 'apps/server/test/gateway/aggregate/asked-client.store.test.ts',
      name: 'a node that shuts down > waits for the answer of a client that is being asked',
    },
  },
  {
    name: 'cancellations-without-a-pause',
    promise: 'A client cancels its request on any node',
    means: 'A client keeps every node busy with cancellations.',
    file: 'apps/server/src/gateway/aggregate/cancellations.ts',
    search: '}, PAUSE).unref();',
    replace: '}, 0).unref();',
    test: {
      file: 'apps/server/test/gateway/aggregate/cancellations.test.ts',
      name: 'cancellations of many people are announced in turn, with a pause, and no more than fit',
    },
  },
  {
    name: 'page-of-another',
    promise:
      'At the one URL of an application a page (`ui://`) that a tool names is read at the integration with the tool alone',
    means: 'A host renders the page of a stranger as that of the bank.',
    file: 'apps/server/src/gateway/aggregate/target.ts',
    search: "if (owner !== 'unnamed') return ofAttachment(client, owner.attachmentId);",
    replace: '',
    test: {
      file: 'apps/server/test/gateway/aggregate/pages.test.ts',
      name: 'a page that a tool names, in the legacy era > is not read at an integration with a template for it',
    },
  },
  {
    name: 'page-of-unknown-owner',
    promise:
      'At the one URL of an application a page (`ui://`) that a tool names is read at the integration with the tool alone',
    means: "A stranger's page is rendered as the bank's while the bank's tools cannot be listed.",
    file: 'apps/server/src/gateway/aggregate/lists/pages.ts',
    search: 'isComplete = false;',
    replace: '{}',
    test: {
      file: 'apps/server/test/gateway/aggregate/pages.test.ts',
      name: 'while the tools of an integration cannot be read > and fail, a page is not read where it is only listed',
    },
  },
];
