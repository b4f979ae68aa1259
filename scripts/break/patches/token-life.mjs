import { serverTest } from '../places.mjs';

const OAUTH = 'apps/server/src/credentials/oauth';
const REFRESH = 'credentials/oauth/refresh/refresh.test.ts';

export const tokenLifePatches = [
  {
    name: 'refresh-without-lease',
    means: 'Two nodes refresh the same tokens at once, and the provider takes one for a thief.',
    file: `${OAUTH}/refresh/lease.ts`,
    search: `AND ("leaseUntil" IS NULL OR "leaseUntil" <= now())`,
    replace: `AND ("leaseUntil" IS NULL OR true)`,
    test: serverTest(
      REFRESH,
      'an access token > is refreshed once by many nodes, which all get the new one',
    ),
  },
  {
    name: 'refresh-ended-grant-deleted-silently',
    means: 'A grant that the provider has ended looks healthy.',
    file: `${OAUTH}/refresh/record.ts`,
    search: `SET "reason" = 'needs_reauth', "leaseOwner"`,
    replace: `SET "leaseOwner"`,
    test: serverTest(
      REFRESH,
      'a refresh that fails > because the grant has ended says so, keeps the row, and asks the provider no more',
    ),
  },
  {
    name: 'refresh-transient-ends-grant',
    means: 'A provider that is down for a moment ends every grant.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: `if (outcome === 'needs_user') await recordEnd(store, lease);`,
    replace: `if (outcome !== 'misconfigured') await recordEnd(store, lease);`,
    test: serverTest(REFRESH, 'a refresh that fails > with a cut connection loses nothing'),
  },
  {
    name: 'refresh-for-another-issuer',
    means: 'A refresh token is sent although the integration has another issuer now.',
    file: `${OAUTH}/refresh/refresh-grant.ts`,
    search: 'target.authMode === mode && destination === presentDestination(target)',
    replace: 'target.authMode === mode && presentDestination(target) !== destination + destination',
    test: serverTest(
      REFRESH,
      'nothing is sent > for a connection whose integration has another issuer or client now',
    ),
  },
  {
    name: 'refresh-flood',
    means: 'An upstream that rejects every token causes a refresh for each call.',
    file: `${OAUTH}/refresh/due.ts`,
    search: 'return now - obtainedAt >= settled;',
    replace: 'return now - obtainedAt >= settled - settled;',
    test: serverTest(
      REFRESH,
      'after the upstream has rejected a token > there is none if it was obtained just now: it is rejected for another cause',
    ),
  },
  {
    name: 'refresh-orphans-kept-alive',
    means: 'New tokens of a connection that was deleted meanwhile stay valid at the provider.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: 'if (rest === 0) await enqueueTokens(',
    replace: 'if (rest === -1) await enqueueTokens(',
    test: serverTest(
      REFRESH,
      'stores no token of a connection that was deleted meanwhile, and has it revoked',
    ),
  },
  {
    name: 'refresh-after-its-lease',
    means: 'A process that was stopped sends a refresh token that another one has used meanwhile.',
    file: `${OAUTH}/refresh/lease.ts`,
    search: 'performance.now() - begun <= LEASE - REQUEST_TIMEOUT',
    replace: 'performance.now() - begun >= LEASE - LEASE',
    test: serverTest(
      'credentials/oauth/refresh/lease.test.ts',
      'a lease > leaves no time for a request once the rest is shorter than a request may take',
    ),
  },
  {
    name: 'refresh-forgets-token',
    means: 'A provider that keeps its refresh tokens is left after the first refresh.',
    file: `${OAUTH}/grant.ts`,
    search: 'const { refreshToken = grant.refreshToken, scopes',
    replace: 'const { refreshToken, scopes',
    test: serverTest(REFRESH, 'a refresh token that the provider keeps goes on being used'),
  },
  {
    name: 'refresh-used-before-stored',
    means: 'Calls go on before new tokens are stored, with those that the provider has replaced.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: 'await keep(lease, found, renewed);',
    replace: 'void keep(lease, found, renewed);',
    test: serverTest(REFRESH, 'is not over before the new tokens are stored'),
  },
  {
    name: 'refresh-lost-at-the-end',
    means: 'A service that is restarted loses the tokens that it was just given.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: 'await Promise.allSettled(running.values());',
    replace: 'await Promise.allSettled([]);',
    test: serverTest(REFRESH, 'a process that closes waits until the new tokens are stored'),
  },
  {
    name: 'refresh-stores-once',
    means: 'New tokens are lost when the database is away for a moment.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: 'const STORE_ATTEMPTS = 6;',
    replace: 'const STORE_ATTEMPTS = 1;',
    test: serverTest(REFRESH, 'keeps new tokens that the database does not take at once'),
  },
  {
    name: 'refresh-refused-client-ends-grants',
    means: 'A client secret that an admin has mistyped ends the connections of all people.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: "error.code === 'client_rejected' && grant.client.source === 'registered'",
    replace: "error.code === 'client_rejected' && grant.client.source !== 'metadata_document'",
    test: serverTest(
      REFRESH,
      'a refresh that fails > because the client is refused is a fault of the configuration, and ends nothing',
    ),
  },
  {
    name: 'refresh-keeps-forgotten-client',
    means: 'People who connect again are sent away with a client that the provider has forgotten.',
    file: `${OAUTH}/refresh/refresher.ts`,
    search: 'if (isClientGone) await forgetRegistration(',
    replace: 'if (!isClientGone) await forgetRegistration(',
    test: serverTest(
      REFRESH,
      'a refresh that fails > with a client that registered itself and is forgotten needs the person, and a new registration',
    ),
  },
  {
    name: 'refresh-idle-grants-die',
    means: 'Grants that nobody uses for a while end at providers that end idle ones.',
    file: `${OAUTH}/refresh/keep-alive.ts`,
    search: `\${IDLE_HOURS} * interval '1 hour'`,
    replace: `\${IDLE_HOURS} * interval '1 year'`,
    test: serverTest(
      'credentials/oauth/refresh/keep-alive.test.ts',
      'grants that nobody has used for a day are refreshed, and no others',
    ),
  },
  {
    name: 'refresh-without-backoff',
    means: 'A provider that is down is called as often as it refuses.',
    file: `${OAUTH}/refresh/record.ts`,
    search: '2 ^ least("failedRefreshes", 10)',
    replace: '1 ^ least("failedRefreshes", 10)',
    test: serverTest(
      REFRESH,
      'a refresh that fails > for the moment is repeated ever more rarely, by the provider within five minutes',
    ),
  },
  {
    name: 'refresh-put-off-for-ever',
    means:
      'A provider that names a distant day for the next attempt ends the connections until then.',
    file: `${OAUTH}/refresh/record.ts`,
    search: 'const least = Math.min(retryAfter, MAX_RETRY_AFTER);',
    replace: 'const least = retryAfter;',
    test: serverTest(
      REFRESH,
      'a refresh that fails > for the moment is repeated ever more rarely, by the provider within five minutes',
    ),
  },
];
