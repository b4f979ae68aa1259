import { onPostgresql, serverTest } from '../places.mjs';

const SRC = 'apps/server/src/resources';

export const sessionsPatches = [
  {
    name: 'sessions-survive-detach',
    means: 'A detached integration goes on serving the sessions it had.',
    file: `${SRC}/applications/ending.ts`,
    search: '  await revokeSessionsOfAttachments(tx, application.id, ids);\n',
    replace: '',
    test: serverTest(
      'resources/applications/attachments.test.ts',
      'DELETE /applications/:id/integrations/:integrationId > revokes the sessions of that attachment alone, for good',
    ),
  },
  {
    name: 'sessions-survive-archive',
    means: 'Restoring an application brings its old sessions back.',
    file: `${SRC}/applications/ending.ts`,
    search: '  await revokeSessionsOfApplication(tx, id);\n',
    replace: '',
    test: serverTest(
      'resources/applications/applications.test.ts',
      'DELETE /applications/:id and POST /applications/:id/restore > revoke every open session, which a restore does not bring back',
    ),
  },
  {
    name: 'sessions-wrong-idle-count',
    means: 'Active sessions are counted as idle ones too.',
    file: 'apps/server/src/sessions/counters.ts',
    search: 'idle: open - active',
    replace: 'idle: open',
    test: serverTest(
      'resources/applications/applications.test.ts',
      'GET /applications/:id > counts active, idle and all sessions',
    ),
  },
  {
    name: 'sessions-uncounted',
    means: 'The total number of sessions is not counted up.',
    file: 'apps/server/src/sessions/session-writes.ts',
    search: '"totalSessionCount" = p."totalSessionCount" + c."sessions"',
    replace: '"totalSessionCount" = p."totalSessionCount"',
    test: serverTest(
      'sessions/activity.test.ts',
      'a session > is counted exactly when many are opened at once',
    ),
  },
  {
    name: 'sessions-of-another-application',
    means: 'A user can revoke sessions of an application that they do not own.',
    file: 'apps/server/src/sessions/revocation.ts',
    search: `s."applicationId" = \${applicationId}::uuid AND s."state" = 'open'`,
    replace: `s."state" = 'open'`,
    test: serverTest(
      'resources/sessions/sessions.test.ts',
      'DELETE /applications/:id/sessions/:sessionId > does not know a session of another application or organization',
    ),
  },
  {
    name: 'sessions-for-anyone',
    means: "Anyone who learns a session id can use another user's session.",
    file: 'apps/server/src/sessions/legacy-sessions.ts',
    search: ' || session.userId !== caller.userId',
    replace: '',
    test: serverTest(
      'gateway/sessions.test.ts',
      'a legacy session > is useless to another user, on POST, GET and DELETE, and on another attachment',
    ),
  },
  {
    name: 'sessions-plain-upstream-id',
    means: 'The session ids of upstreams are readable in the database.',
    file: 'apps/server/src/sessions/legacy-sessions.ts',
    search: 'const { keyId, sealed } = vault.seal(upstreamSessionId, context);',
    replace: `const { keyId } = vault.seal(upstreamSessionId, context);
    const sealed = Buffer.from(upstreamSessionId);`,
    test: serverTest(
      'gateway/sessions.test.ts',
      'a legacy session > is stored as a hash and sealed',
    ),
  },
  {
    name: 'sessions-write-per-call',
    means: 'Every call through the gateway costs a write.',
    file: 'apps/server/src/sessions/activity.ts',
    search: '    session.inFlight -= 1;\n',
    replace: `    session.inFlight -= 1;
    void writeActivity(this.#options.db, [{ id: session.id, age: 0 }]);
`,
    test: serverTest(
      'gateway/sessions.test.ts',
      'the steady state > of a legacy client makes no SQL statement, by the credential of none',
    ),
  },
  {
    name: 'sessions-wait-for-locks',
    means: 'A row that somebody has locked holds up the sessions of everybody.',
    file: 'apps/server/src/sessions/session-writes.ts',
    search: 'openingSteps(opening, Prisma.sql`SKIP LOCKED`)',
    replace: 'openingSteps(opening, Prisma.empty)',
    test: serverTest(
      'sessions/session-writer.test.ts',
      'a row that somebody has locked > holds up the sessions that need it, and no others',
      onPostgresql,
    ),
  },
  {
    name: 'sessions-skipped-for-good',
    means: 'A session whose row is locked for a moment is never closed.',
    file: 'apps/server/src/sessions/session-writer.ts',
    search: '      if (await closeSession(db, id)) announce',
    replace: '      if (id === "") announce',
    test: serverTest(
      'sessions/session-writer.test.ts',
      'a row that somebody has locked > holds up the sessions that need it, and no others',
      onPostgresql,
    ),
  },
  {
    name: 'sessions-without-limit',
    means: 'One person may have any number of open sessions.',
    file: 'apps/server/src/sessions/legacy-sessions.ts',
    search: '    this.#deps.limit.noteOpened(caller.userId);\n',
    replace: '',
    test: serverTest(
      'sessions/session-limit.test.ts',
      'one person has 1,000 open legacy sessions: of more, the longest silent are closed',
    ),
  },
  {
    name: 'sessions-limit-cuts-streams',
    means: 'The limit of open sessions closes one that has a stream open.',
    file: 'apps/server/src/sessions/session-limit.ts',
    search: `          AND NOT \${isInFlight}\n`,
    replace: '',
    test: serverTest(
      'sessions/session-limit.test.ts',
      'a session that has something in flight is not closed, nor one of somebody else or a modern one',
    ),
  },
];
