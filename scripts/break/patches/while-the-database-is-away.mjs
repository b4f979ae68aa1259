export const patches = [
  {
    name: 'platform-line-for-each-failure',
    promise: 'The log of an outage is two lines',
    means: 'The log of an outage is a stack for each statement that fails.',
    file: 'apps/server/src/platform/logging.ts',
    search: 'if (!isCovered(errorOf(args[0]))) method',
    replace: 'isCovered(errorOf(args[0]));\n        method',
    test: {
      file: 'apps/server/test/platform/database/outage-log.test.ts',
      name: 'has one line for all that fails, and one when the database answers again',
    },
  },
  {
    name: 'platform-500-while-away',
    promise: 'While PostgreSQL cannot be reached (stopped',
    means: 'While PostgreSQL is stopped, every call gets 500 and no client tries again.',
    file: 'apps/server/src/platform/database/unreachable.ts',
    search: '  DatabaseNotReachable: true,',
    replace: '  DatabaseNotReachable: false,',
    test: {
      file: 'apps/server/test/platform/database/away.slow.test.ts',
      name: 'a PostgreSQL that is away > stopped: every operation, the gateway, OAuth and pages answer 503, and 200 when it is back',
      store: 'postgresql',
    },
  },
  {
    name: 'platform-500-on-standby',
    promise: 'A database that only reads (a standby',
    means: 'After a failover to a standby, writes get 500.',
    file: 'apps/server/src/platform/database/unreachable.ts',
    search: '^(?:25006|',
    replace: '^(?:',
    test: {
      file: 'apps/server/test/platform/database/database-failure.test.ts',
      name: 'a failure of a raw query > is 503 when the server cannot serve anybody now: 25006',
    },
  },
  {
    name: 'platform-writes-take-the-pool',
    promise: 'Writes that wait for a locked row leave reads their connections',
    means: 'While writes wait for one locked row, every read waits too.',
    file: 'apps/server/src/platform/slots.ts',
    search: 'if (this.#running < this.#limits.running &&',
    replace: 'if (this.#running < Number.MAX_VALUE &&',
    test: {
      file: 'apps/server/test/platform/slots.test.ts',
      name: 'slots > runs as many tasks as there are slots, the rest in order of arrival',
    },
  },
];
