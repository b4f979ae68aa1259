import { onPostgresql, serverTest } from '../places.mjs';

const SRC = 'apps/server/src/platform';

export const platformPatches = [
  {
    name: 'platform-token-in-log',
    means: 'Access tokens stand in the log.',
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
    means: 'What an error quotes, headers and URLs included, stands in the log.',
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
    means: 'What was read while a row changed is answered from memory for good.',
    file: `${SRC}/changes/create-cache.ts`,
    search: 'if (loaded !== undefined && isUndisturbed(begun, loaded)) entries.set',
    replace: 'if (loaded !== undefined) entries.set',
    test: serverTest(
      'platform/changes/create-cache.test.ts',
      'a cache > does not keep what was read before its row changed',
    ),
  },
  {
    name: 'platform-no-lease',
    means: 'A node that may have missed changes answers from memory.',
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
    means: 'A node whose listener was cut off goes on with what it held before.',
    file: `${SRC}/changes/postgresql-changes.ts`,
    search: "this.#own.delete(sequence);\n    this.#listeners.emit('everything');",
    replace: 'this.#own.delete(sequence);',
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
    name: 'platform-no-second-try',
    means: 'Two writes that meet fail with 500 in place of following one another.',
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
    search: 'this.#putBack([...skipped, ...entries.slice(start)]);',
    replace: 'this.#putBack(skipped);',
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
    means: 'SIGTERM cuts long answers whose clients read slowly.',
    file: 'apps/server/src/http-server.ts',
    search: 'NetServer.prototype.close.call(server, () => resolve());',
    replace: 'void NetServer;\n      server.close(() => resolve());',
    test: serverTest(
      'http-server.test.ts',
      'a server that drains sends a long answer whole, however slowly it is read',
    ),
  },
  {
    name: 'platform-stack-at-start',
    means: 'An operator reads a stack trace where a sentence should tell what to do.',
    file: `${SRC}/database/start-failure.ts`,
    search: 'throw asStartError(kind, error) ?? error;',
    replace: 'throw error;',
    test: serverTest(
      'service.test.ts',
      'a start that the database fails is refused in one sentence',
    ),
  },
];
