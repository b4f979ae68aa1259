import { onPostgresql, serverTest } from '../places.mjs';

const SRC = 'apps/server/src/platform';

export const platformPatches = [
  {
    name: 'platform-token-in-log',
    means: 'Access tokens appear in the log.',
    file: `${SRC}/logging.ts`,
    search: "  'authorization',\n",
    replace: '',
    test: serverTest(
      'platform/logging.test.ts',
      'the log > knows the names under which secrets travel',
    ),
  },
  {
    name: 'platform-error-text-in-log',
    means: 'Headers, URLs and whatever else an error quotes appear in the log.',
    file: `${SRC}/logging.ts`,
    search: "type: error instanceof Error ? error.name : 'object',",
    replace: "type: error instanceof Error ? error.stack : 'object',",
    test: serverTest(
      'platform/logging.test.ts',
      'the log > holds of an error its kind, code and places, but no message of it or its causes',
    ),
  },
  {
    name: 'platform-keeps-stale-load',
    means: 'A value that was read while its row changed stays in the cache.',
    file: `${SRC}/changes/create-cache.ts`,
    search: 'if (loaded !== undefined && isUnchanged(load, loaded)) entries.set',
    replace: 'if (loaded !== undefined) entries.set',
    test: serverTest(
      'platform/changes/create-cache.test.ts',
      'a cache > does not keep what was read before its row changed',
    ),
  },
  {
    name: 'platform-no-lease',
    means: 'A node that may have missed changes serves cached values.',
    file: `${SRC}/changes/create-cache.ts`,
    search: '    if (!changes.isFresh()) return undefined;\n',
    replace: '',
    test: serverTest(
      'platform/changes/create-cache.test.ts',
      'a cache > answers nothing from memory and shares no load while changes may be missed',
    ),
  },
  {
    name: 'platform-deaf-after-reconnect',
    means:
      'A node keeps its cached values after it has lost and restored its listening connection.',
    file: `${SRC}/changes/postgresql-changes.ts`,
    search: "    }\n    this.#listeners.emit('everything');\n",
    replace: '    }\n',
    test: serverTest(
      'platform/changes/postgresql-changes.test.ts',
      'the changes of PostgreSQL > may all have been missed when the listening connection was terminated',
      onPostgresql,
    ),
  },
  {
    name: 'platform-long-lease',
    means: 'A node with a dead connection honours revoked tokens for minutes.',
    file: `${SRC}/changes/lease.ts`,
    search: 'const LEASE = 750;',
    replace: 'const LEASE = 750_000;',
    test: serverTest(
      'platform/changes/postgresql-changes.test.ts',
      'the changes of PostgreSQL > are not fresh for longer than the lease when the connection swallows everything',
      onPostgresql,
    ),
  },
  {
    name: 'platform-mark-proves-nothing',
    means: 'Behind a transaction pooler a node trusts its memory and honours revoked tokens.',
    file: `${SRC}/changes/marked-listener.ts`,
    search: 'this.#marking.query(`NOTIFY',
    replace: 'this.#listening.query(`NOTIFY',
    test: serverTest(
      'platform/database/pooler.test.ts',
      'behind PgBouncer > in transaction mode no mark comes back',
      onPostgresql,
    ),
  },
  {
    name: 'platform-writes-take-the-pool',
    means: 'While writes wait for one locked row, every read waits too.',
    file: `${SRC}/database/slots.ts`,
    search: 'if (this.#running < this.#limits.slots)',
    replace: 'if (this.#running < Number.MAX_VALUE)',
    test: serverTest(
      'platform/database/slots.test.ts',
      'slots > let as many run as there are, and the others in the order in which they came',
    ),
  },
  {
    name: 'platform-acknowledges-failed-commit',
    means: 'A write whose commit failed on the embedded database is answered as done.',
    file: `${SRC}/database/pglite-adapter.ts`,
    search: '      if (failure !== undefined) throw failure;\n',
    replace: '',
    test: serverTest('platform/database/disk.test.ts', 'a commit that fails > is not acknowledged'),
  },
  {
    name: 'platform-watch-counts-suspension',
    means: 'A process that was suspended, or got no CPU, is killed.',
    file: `${SRC}/watch/silence.ts`,
    search: 'else if (isOnTime) this.#inVain += 1;',
    replace: 'else if (isOnTime || now > 0) this.#inVain += 1;',
    test: serverTest(
      'platform/watch/silence.test.ts',
      'the silence of the main thread > is not counted in looks that came late: the process was suspended or had no CPU',
    ),
  },
  {
    name: 'platform-watch-kills-debugged',
    means: 'A process that stands at a breakpoint is killed.',
    file: `${SRC}/watch/watch.ts`,
    search: 'inspectorUrl() === undefined ? count : UNWATCHED',
    replace: "inspectorUrl() === '' ? UNWATCHED : count",
    test: serverTest(
      'platform/watch/watch.test.ts',
      'a process that is watched > survives a breakpoint',
    ),
  },
  {
    name: 'platform-watch-ends-its-thread',
    means: 'A process that hangs is not ended: only the thread that noticed is.',
    file: `${SRC}/watch/watch-worker.ts`,
    search: "process.kill(process.pid, 'SIGKILL');",
    replace: 'process.exit(1);',
    test: serverTest(
      'platform/watch/watch.test.ts',
      'a process that is watched > is ended with one sentence when its main thread hangs: spin',
    ),
  },
  {
    name: 'platform-short-write',
    means: 'What did not fit on the disk is taken for written, and the process hangs.',
    file: `${SRC}/database/disk-guard.ts`,
    search: "if (written < args[3]) throw this.#fail('ENOSPC');",
    replace: 'if (written < args[3]) return args[3];',
    test: serverTest(
      'platform/database/disk-errors.test.ts',
      "a disk that fails > ends the write in 503 and loses nothing that was acknowledged: 'a short write' in 'a write of a data file'",
    ),
  },
  {
    name: 'platform-data-write-not-vital',
    means: 'A failed write to a data file with a rare code is answered as a fault of the program.',
    file: `${SRC}/database/disk-guard.ts`,
    search: 'this.#do(true, () => write(...args))',
    replace: 'this.#do(false, () => write(...args))',
    test: serverTest(
      'platform/database/disk-errors.test.ts',
      "a disk that fails > ends the write in 503 and loses nothing that was acknowledged: 'ESTALE' in 'a write of a data file'",
    ),
  },
  {
    name: 'platform-no-second-try',
    means: 'Two conflicting writes fail with 500 instead of running one after the other.',
    file: `${SRC}/database/transaction.ts`,
    search: 'if (!isConflict(error) || attempt >= MAX_RETRIES) {',
    replace: 'if (!isConflict(error) || attempt >= 0 * MAX_RETRIES) {',
    test: serverTest(
      'platform/database/transaction.test.ts',
      'work refused with a serialization failure runs again, three times at most',
    ),
  },
  {
    name: 'platform-drops-failed-writes',
    means: 'What is written behind is lost when the database is away for a moment.',
    file: `${SRC}/write-behind.ts`,
    search: 'const left = entries.slice(start);',
    replace: 'const left = entries.slice(entries.length);',
    test: serverTest(
      'platform/write-behind.test.ts',
      'a failed write > is reported, and tried again at the next interval',
    ),
  },
  {
    name: 'platform-closes-unwritten',
    means: 'A node that shuts down loses what waits to be written.',
    file: `${SRC}/write-behind.ts`,
    search: `    try {
      await this.flush();`,
    replace: `    try {
      await this.#lastWrite;`,
    test: serverTest(
      'platform/write-behind.test.ts',
      'closing > writes what waits, after the write that is running, and stops',
    ),
  },
  {
    name: 'platform-unbounded-writes',
    means: 'While the database is away, what waits to be written fills the memory.',
    file: `${SRC}/write-behind.ts`,
    search: 'this.#waiting.size >= this.#options.maxWaiting',
    replace: 'this.#waiting.size >= Number.POSITIVE_INFINITY',
    test: serverTest(
      'platform/write-behind.test.ts',
      'the values that wait > are bounded: those beyond are lost and counted, and reported with the next write',
    ),
  },
  {
    name: 'server-cuts-answers',
    means: 'SIGTERM truncates long responses to clients that read slowly.',
    file: 'apps/server/src/http-server.ts',
    search: 'NetServer.prototype.close.call(server, () => resolve());',
    replace: 'void NetServer;\n      server.close(() => resolve());',
    test: serverTest(
      'http-server.test.ts',
      'a server that drains sends a long answer whole, however slowly it is read',
    ),
  },
  {
    name: 'server-forgets-early',
    means: 'A call that a proxy sends to a node that is just starting is never answered.',
    file: 'apps/server/src/http-server.ts',
    search: 'for (const [req, res] of early.splice(0)) {',
    replace: 'for (const [req, res] of early.splice(0, 0)) {',
    test: serverTest(
      'http-server.test.ts',
      'requests that arrive before there is a listener wait for it',
    ),
  },
  {
    name: 'server-closes-unused',
    means: 'At SIGTERM a call is lost that a proxy was sending on a connection that it had kept.',
    file: 'apps/server/src/http-server.ts',
    search: '      await nextTurn();\n',
    replace: '      await nextTurn();\n      closeIdle();\n',
    test: serverTest(
      'http-server.test.ts',
      'a server that retires takes what comes on open connections, and closes each with the response',
    ),
  },
  {
    name: 'server-keeps-connections',
    means: 'A node that ends keeps getting calls from its proxy until it refuses them.',
    file: 'apps/server/src/http/connection.ts',
    search: 'this.#current.shouldKeepAlive = false;',
    replace: 'this.#current.shouldKeepAlive = true;',
    test: serverTest(
      'http-server.test.ts',
      'a server that retires takes what comes on open connections, and closes each with the response',
    ),
  },
  {
    name: 'server-forgets-begun',
    means:
      'A proxy sends a call on the connection of a stream that has just ended, to a node that ends.',
    file: 'apps/server/src/http/connection.ts',
    search: 'if (this.#isRetiring) this.#socket.end();',
    replace: '',
    test: serverTest(
      'http-server.test.ts',
      'a server that retires closes a connection after the response that it is sending',
    ),
  },
  {
    name: 'server-drops-sent-ahead',
    means: 'At SIGTERM requests are lost that a client has sent ahead on one connection.',
    file: 'apps/server/src/http/connection.ts',
    search: ' && this.#waiting.length === 0',
    replace: '',
    test: serverTest(
      'http-server.test.ts',
      'a server that retires answers requests that were sent ahead before it closes',
    ),
  },
  {
    name: 'platform-stack-at-start',
    means: 'An operator sees a stack trace instead of a sentence that says what to do.',
    file: `${SRC}/database/start-error.ts`,
    search: 'throw toStartError(kind, error) ?? error;',
    replace: 'throw error;',
    test: serverTest(
      'service.test.ts',
      'a start that the database fails is refused in one sentence',
    ),
  },
  {
    name: 'platform-500-while-away',
    means: 'While PostgreSQL is stopped, every call gets 500 and no client tries again.',
    file: `${SRC}/database/unreachable.ts`,
    search: '  DatabaseNotReachable: true,',
    replace: '  DatabaseNotReachable: false,',
    test: serverTest(
      'platform/database/away.test.ts',
      'a PostgreSQL that is away > stopped: every operation and the gateway answer 503, and 200 when it is back',
      onPostgresql,
    ),
  },
  {
    name: 'platform-500-on-standby',
    means: 'After a failover to a standby, writes get 500.',
    file: `${SRC}/database/unreachable.ts`,
    search: '^(?:25006|',
    replace: '^(?:',
    test: serverTest(
      'platform/database/database-failure.test.ts',
      'a failure of a raw query > is 503 when the server cannot serve anybody now: 25006',
    ),
  },
  {
    name: 'http-ready-on-standby',
    means: 'A balancer sends writes to a node whose database takes none.',
    file: 'apps/server/src/http/health.ts',
    search: 'row?.isReadOnly === false',
    replace: 'row !== undefined',
    test: serverTest(
      'platform/database/away.test.ts',
      'a PostgreSQL that only reads > by its setting answers reads, refuses writes with 503 and is not ready',
      onPostgresql,
    ),
  },
  {
    name: 'platform-batches-of-any-size',
    means: 'Housekeeping holds the process for seconds.',
    file: `${SRC}/database/batches.ts`,
    search: '(size * TARGET) / Math.max(took, 1)',
    replace: 'size * 2',
    test: serverTest(
      'platform/database/batches.test.ts',
      'changes all rows, in batches of some 20 ms',
    ),
  },
];
