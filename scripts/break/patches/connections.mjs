export const patches = [
  {
    name: 'issuer-with-any-slash',
    promise: 'An issuer without a path is the same with and without its final slash',
    means: 'A tenant of a provider is taken for another one that is spelled with a slash.',
    file: 'apps/server/src/credentials/oauth/same-issuer.ts',
    search: '[^/?#]+)',
    replace: '[^?#]+?)',
    test: {
      file: 'apps/server/test/credentials/oauth/discovery.test.ts',
      name: 'discovery > refuses an issuer with a path that is published with one more slash',
    },
  },
  {
    name: 'http-drains-without-end',
    promise: 'A request that is refused early gets its response',
    means: 'A refused client goes on sending for as long as it likes.',
    file: 'apps/server/src/http/discard.ts',
    search: 'if (this.#left < 0) this.#onLimit();',
    replace: 'if (this.#left < -Number.MAX_VALUE) this.#onLimit();',
    test: {
      file: 'apps/server/test/http/connection.test.ts',
      name: 'after an early refusal > the rest of a body is read up to a bound, and the response arrives',
    },
  },
  {
    name: 'http-pipelined-at-once',
    promise: 'One connection has one request in hand',
    means: 'A client that sends requests ahead makes the server hold all their responses.',
    file: 'apps/server/src/http/connection.ts',
    search: 'if (this.#current === undefined) {\n',
    replace: 'if (this.#waiting.length === 0) {\n',
    test: {
      file: 'apps/server/test/http/connection.test.ts',
      name: 'requests that a client sends ahead > wait while the response before is not read',
    },
  },
  {
    name: 'http-500-without-file-descriptors',
    promise: 'Without file descriptors a request gets 503 with `Retry-After`',
    means: 'Without file descriptors a request gets 500, and its client does not try again.',
    file: 'apps/server/src/platform/database/database-failure.ts',
    search: '(isUnreachableCause(cause) || isOutOfFiles(error))',
    replace: 'isUnreachableCause(cause)',
    test: {
      file: 'apps/server/test/http/handle-error.test.ts',
      name: 'without file descriptors it is 503 with Retry-After, and logged once',
    },
  },
];
