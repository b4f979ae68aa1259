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
      'after the upstream has rejected a token > there is none if it was obtained just now',
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
];
