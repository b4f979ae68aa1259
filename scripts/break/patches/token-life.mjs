import { serverTest } from '../places.mjs';

const OAUTH = 'apps/server/src/credentials/oauth';
const REFRESH = 'credentials/oauth/refresh/refresh.test.ts';
const REVOCATION = 'credentials/oauth/revocation/revocation.test.ts';

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
    name: 'revocation-forgotten',
    means: 'Disconnecting leaves the tokens valid at the provider.',
    file: `${OAUTH}/revocation/outbox.ts`,
    search: `FROM deleted WHERE "mode" = 'oauth'`,
    replace: `FROM deleted WHERE "mode" <> 'oauth'`,
    test: serverTest(
      REVOCATION,
      'disconnecting > deletes the connection first, and revokes both tokens after the commit',
    ),
  },
  {
    name: 'revocation-keeps-tokens',
    means: 'Revoked tokens stay in the outbox.',
    file: `${OAUTH}/revocation/outbox.ts`,
    search: `"nextAttemptAt" = NULL, "sealed" = NULL, "keyId" = NULL`,
    replace: `"nextAttemptAt" = NULL`,
    test: serverTest(
      REVOCATION,
      'disconnecting > deletes the connection first, and revokes both tokens after the commit',
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
    name: 'revocation-tried-once',
    means: 'Tokens stay valid at a provider that was down for a moment.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: 'if (attempts >= MAX_ATTEMPTS) await',
    replace: 'if (attempts >= 1) await',
    test: serverTest(
      REVOCATION,
      'a revocation > that fails is tried five times within about an hour, and then given up',
    ),
  },
  {
    name: 'revocation-never-given-up',
    means: 'Tokens stay in the outbox of a provider that never answers, and nobody is told.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: 'if (attempts >= MAX_ATTEMPTS) await',
    replace: 'if (attempts > 2 * MAX_ATTEMPTS) await',
    test: serverTest(
      REVOCATION,
      'a revocation > that fails is tried five times within about an hour, and then given up',
    ),
  },
  {
    name: 'revocation-lost-attempt',
    means: 'Tokens stay in the outbox if a process ends during the last attempt.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: 'if (row.attempts > MAX_ATTEMPTS) {',
    replace: 'if (row.attempts > MAX_ATTEMPTS && row.sealed === null) {',
    test: serverTest(
      REVOCATION,
      'a revocation > whose last attempt ended with its process is given up, and asks nobody',
    ),
  },
  {
    name: 'revocation-of-one-token',
    means: 'The access token stays valid because the refresh token could not be revoked.',
    file: `${OAUTH}/revocation/revoke-tokens.ts`,
    search: 'failures.push(error);',
    replace: 'throw error;',
    test: serverTest(
      REVOCATION,
      'a revocation > of one token that fails keeps nobody from that of the other',
    ),
  },
  {
    name: 'revocation-by-every-node',
    means: 'Every node sends each revocation.',
    file: `${OAUTH}/revocation/outbox.ts`,
    search: `"nextAttemptAt" = now() + interval '1 minute'`,
    replace: `"nextAttemptAt" = now() - interval '1 minute'`,
    test: serverTest(REVOCATION, 'a revocation > is made by one of several nodes'),
  },
  {
    name: 'revocation-not-of-members',
    means: 'Tokens of a person who was removed stay valid at the providers.',
    file: 'apps/server/src/resources/members/service.ts',
    search: '  await disconnectMember(tx, id);\n',
    replace: '',
    test: serverTest(
      'connect/endings.test.ts',
      'the provider hears of it when the member is removed',
    ),
  },
  {
    name: 'revocation-not-of-configurations',
    means: 'Tokens of a configuration that was deleted stay valid at the provider.',
    file: 'apps/server/src/resources/integrations/service.ts',
    search: '  await disconnectEveryone(tx, id);\n',
    replace: '',
    test: serverTest(
      'connect/endings.test.ts',
      'the provider hears of it when the OAuth configuration is deleted',
    ),
  },
  {
    name: 'revocation-untold',
    means: 'Nobody hears what became of a grant at its provider.',
    file: 'apps/server/src/resources/present-connection.ts',
    search: '...(ended === undefined ? {} : { revocation: ended }),',
    replace: '...(ended === undefined ? { revocation: ended } : {}),',
    test: serverTest(
      'connect/through-the-gateway.test.ts',
      'disconnecting ends access at once, and revokes the tokens at the provider',
    ),
  },
];
