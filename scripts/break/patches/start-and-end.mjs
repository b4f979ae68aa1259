export const patches = [
  {
    name: 'platform-secrets-in-the-log',
    promise: 'A first start shows secrets only where a person reads its output',
    means: "The owner's token stands in the log of a production server.",
    file: 'apps/server/src/first-start.ts',
    search: 'isLoopback(host) && databaseUrl === undefined',
    replace: 'isLoopback(host) || databaseUrl === undefined',
    test: {
      file: 'apps/server/test/first-start.test.ts',
      name: 'a first start with PostgreSQL makes no secret and says once what to do',
    },
  },
  {
    name: 'platform-stack-at-start',
    promise: 'A start that fails because of the database says so in one sentence',
    means: 'An operator sees a stack trace instead of a sentence that says what to do.',
    file: 'apps/server/src/platform/database/start-step.ts',
    search: 'throw toStartError(kind, error) ?? error;',
    replace: 'throw error;',
    test: {
      file: 'apps/server/test/service.test.ts',
      name: 'a start that the database fails is refused in one sentence',
    },
  },
  {
    name: 'server-closes-unused',
    promise:
      'On SIGTERM a node takes calls on open connections for 2 s more and closes each with its response',
    means: 'At SIGTERM a call is lost that a proxy was sending on a connection that it had kept.',
    file: 'apps/server/src/http-server.ts',
    search: '      await nextTurn();\n',
    replace: `      await nextTurn();
      closeIdle();
`,
    test: {
      file: 'apps/server/test/http-server.test.ts',
      name: 'a server that retires takes requests on open connections, and closes each with the response',
    },
  },
  {
    name: 'server-cuts-answers',
    promise: 'SIGTERM lets management calls finish',
    means: 'SIGTERM truncates long responses to clients that read slowly.',
    file: 'apps/server/src/http-server.ts',
    search: 'NetServer.prototype.close.call(server, () => resolve());',
    replace: `void NetServer;
      server.close(() => resolve());`,
    test: {
      file: 'apps/server/test/http-server.test.ts',
      name: 'a server that drains sends a long answer whole, however slowly it is read',
    },
  },
  {
    name: 'platform-watch-ends-its-thread',
    promise:
      'A process with a main thread that has hung for 30 seconds is ended with one sentence on standard error',
    means: 'A process that hangs is not ended: only the thread that noticed is.',
    file: 'apps/server/src/platform/watch/watch-worker.ts',
    search: "process.kill(process.pid, 'SIGKILL');",
    replace: 'process.exit(1);',
    test: {
      file: 'apps/server/test/platform/watch/watch.slow.test.ts',
      name: 'a process that is watched > is ended with one sentence when its main thread hangs: spin',
    },
  },
  {
    name: 'haproxy-without-checks',
    promise: 'When a node is killed, no new call fails',
    means: 'Behind HAProxy every second call waits as long as a node is frozen.',
    file: 'deploy/haproxy/haproxy.cfg',
    search: 'default-server check inter 1s fastinter 500ms fall 2 rise 2',
    replace: 'default-server inter 1s',
    test: {
      file: 'apps/server/test/deploy/lost-node.slow.test.ts',
      name: 'behind haproxy > a node that is frozen gets no more calls',
    },
  },
];
