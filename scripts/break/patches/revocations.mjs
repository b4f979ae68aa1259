import { serverTest } from '../places.mjs';

const OAUTH = 'apps/server/src/credentials/oauth';
const REVOCATION = 'credentials/oauth/revocation/revocation.test.ts';

export const revocationsPatches = [
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
    name: 'revocation-tried-once',
    means: 'Tokens stay valid at a provider that was down for a moment.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: 'if (row.attempts >= MAX_ATTEMPTS) await',
    replace: 'if (row.attempts >= 1) await',
    test: serverTest(
      REVOCATION,
      'a revocation > that fails is tried five times within about an hour, and then given up',
    ),
  },
  {
    name: 'revocation-never-given-up',
    means: 'Tokens stay in the outbox of a provider that never answers, and nobody is told.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: 'if (row.attempts >= MAX_ATTEMPTS) await',
    replace: 'if (row.attempts > 2 * MAX_ATTEMPTS) await',
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
  {
    name: 'revocation-lost-at-the-end',
    means: 'A service that is restarted revokes again, and says too late what became of it.',
    file: `${OAUTH}/revocation/revoker.ts`,
    search: '      await running;\n',
    replace: '',
    test: serverTest(
      REVOCATION,
      'a revocation > that has begun is recorded before a process closes',
    ),
  },
  {
    name: 'revocation-told-to-others',
    means: 'A person reads what became of the account of somebody else.',
    file: `${OAUTH}/revocation/outbox.ts`,
    search: 'where: { integrationId, userId },',
    replace: 'where: { integrationId },',
    test: serverTest(REVOCATION, 'a revocation > is told to its person alone'),
  },
];
