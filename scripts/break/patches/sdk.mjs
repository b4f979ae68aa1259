import { sdkTest, typePin } from '../places.mjs';

const SRC = 'packages/sdk/src';

export const sdkPatches = [
  {
    name: 'sdk-unencoded-id',
    means: 'An id with a slash in it calls another endpoint.',
    file: `${SRC}/transport/url.ts`,
    search: 'return encodeURIComponent(value);',
    replace: 'return value;',
    test: sdkTest('transport/url.test.ts', 'a path parameter > "a/b?c#d" arrives as one segment'),
  },
  {
    name: 'sdk-retries-without-key',
    means: 'A call that may have had its effect is made a second time.',
    file: `${SRC}/transport/retry.ts`,
    search: 'if (idempotencyKey !== undefined || !takesKey(method)) return true;',
    replace: 'return true;',
    test: sdkTest(
      'retries.test.ts',
      'each method > validate, which has no key, is repeated after a 429: nothing was done',
    ),
  },
  {
    name: 'sdk-rotates-without-key',
    means: 'A repeated rotate-secret makes a second secret, and the first one is lost.',
    file: 'packages/contract/src/routes.ts',
    search: `path: '/applications/:id/rotate-secret',
      access: 'member',
      idempotency: 'key',`,
    replace: `path: '/applications/:id/rotate-secret',
      access: 'member',
      idempotency: 'none',`,
    test: sdkTest(
      'retries.test.ts',
      "each method > 'applications.rotateSecret' is repeated only if that is safe",
    ),
  },
  {
    name: 'sdk-new-key-per-attempt',
    means: 'A repeated create makes a second integration.',
    file: `${SRC}/transport/request.ts`,
    search: "setHeader(headers, 'idempotency-key', idempotencyKey);",
    replace: "setHeader(headers, 'idempotency-key', idempotencyKey && crypto.randomUUID());",
    test: sdkTest(
      'retries.test.ts',
      "each method > 'integrations.create' is repeated only if that is safe",
    ),
  },
  {
    name: 'sdk-ignores-retry-after',
    means: 'A client that was told to wait calls again at once.',
    file: `${SRC}/transport/retry-plan.ts`,
    search: 'const retryAfter = response?.retryAfter ?? 0;',
    replace: 'const retryAfter = 0;',
    test: sdkTest(
      'retries.test.ts',
      'Retry-After > in seconds is waited for, if it is longer than the backoff',
    ),
  },
  {
    name: 'sdk-timeout-ends-at-head',
    means: 'A call whose answer stalls never ends.',
    file: `${SRC}/transport/attempts.ts`,
    search: `      return await withDeadline({ label, signal, ...plan.nextTimeout() }, async (signal) => {
        usedToken = await accessTokens.get();
        return exchange(request, { accessToken: usedToken, signal, event }, options);
      });`,
    replace: `      let answer: Promise<RawResponse> | undefined;
      await withDeadline({ label, signal, ...plan.nextTimeout() }, async (signal) => {
        const accessToken = await accessTokens.get();
        usedToken = accessToken;
        await new Promise<void>((resolve, reject) => {
          const fetch: typeof globalThis.fetch = async (...args) => {
            const response = await (options.fetch ?? globalThis.fetch)(...args);
            resolve();
            return response;
          };
          answer = exchange(request, { accessToken, signal, event }, { ...options, fetch });
          answer.catch(reject);
        });
      });
      return (await answer) as RawResponse;`,
    test: sdkTest(
      'limits.test.ts',
      'the timeout > ends a request whose body stalls, and closes its connection',
    ),
  },
  {
    name: 'sdk-follows-redirects',
    means: 'The access token goes wherever a redirect points.',
    file: `${SRC}/transport/request.ts`,
    search: "redirect: 'manual',",
    replace: "redirect: 'follow',",
    test: sdkTest(
      'errors.test.ts',
      'a success that is not the expected one > because it redirects is an InvalidResponseError, and the target gets no request',
    ),
  },
  {
    name: 'sdk-logs-secrets',
    means: 'The debug log holds the server tokens that were sent.',
    file: `${SRC}/transport/redact.ts`,
    search: "  'scopes',\n",
    replace: "  'scopes',\n  'serverToken',\n",
    test: sdkTest(
      'logging.test.ts',
      'logging > shows what is harmless of a request and hides every other text',
    ),
  },
  {
    name: 'sdk-drops-if-match',
    means: 'A change meant for one version overwrites a later one.',
    file: `${SRC}/transport/request.ts`,
    search: "    setHeader(headers, 'if-match', options.ifMatch);\n",
    replace: '',
    test: sdkTest(
      'methods.test.ts',
      'methods > send the per-call headers, and let none of them replace the own ones',
    ),
  },
  {
    name: 'sdk-loses-filter-on-next-page',
    means: 'From the second page on, a filtered list holds everything.',
    file: `${SRC}/calls/transport.ts`,
    search: 'query: { ...query, cursor } }),',
    replace: 'query: { cursor } }),',
    test: sdkTest(
      'pagination.test.ts',
      'a list call > gives all items when iterated, with the query and the headers on every page',
    ),
  },
  {
    name: 'sdk-type-lacks-member',
    means: 'A field of every answer does not exist for TypeScript.',
    file: `${SRC}/types/integration.ts`,
    search: '  serverTokenConfigured: boolean;\n',
    replace: '',
    test: typePin('contract.ts', "get: Assert<Fits<Integrations['get'], I['get']>>;"),
  },
  {
    name: 'sdk-type-lacks-word',
    means: 'TypeScript refuses an authentication mode that the server takes.',
    file: `${SRC}/types/integration.ts`,
    search: "export type AuthMode = 'oauth' | 'user_token' | 'server_token' | 'none';",
    replace: "export type AuthMode = 'oauth' | 'user_token' | 'server_token';",
    test: typePin('words.ts', 'Assert<Equals<sdk.AuthMode, contract.AuthMode>>,'),
  },
];
