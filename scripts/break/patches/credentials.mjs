import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/credentials';

export const credentialsPatches = [
  {
    name: 'credentials-server-token-anywhere',
    means: 'A server token goes to another address than the one it was entered for.',
    file: `${SRC}/outcome-of.ts`,
    search: 'if (held === undefined || held.destination !== presentDestination(target)) {',
    replace: 'if (held === undefined) {',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > sends the server token as a bearer to the origin it was entered for',
    ),
  },
  {
    name: 'credentials-connection-anywhere',
    means: "A user's credential goes to another address than the one it was entered for.",
    file: `${SRC}/outcome-of.ts`,
    search: 'held.mode !== target.authMode || held.destination !== presentDestination(target)',
    replace: 'held.mode !== target.authMode',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > keeps a connection to another destination or of another mode to itself',
    ),
  },
  {
    name: 'credentials-of-another-organization',
    means: 'A connection is found whatever organization it belongs to.',
    file: `${SRC}/resolve.ts`,
    search: 'where: { integrationId_userId: { integrationId, userId }, organizationId },',
    replace: 'where: { integrationId_userId: { integrationId, userId } },',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > never answers for an integration of another organization',
    ),
  },
  {
    name: 'credentials-shared-connection',
    means: "One user's calls go up with the credential of another.",
    file: `${SRC}/resolve.ts`,
    search: `integrationId : \`\${integrationId}:\${userId}\`;`,
    replace: `integrationId : \`\${integrationId}:\${userId.length}\`;`,
    test: serverTest(
      'credentials/resolve.test.ts',
      "resolving > sends the caller's own connection, as the schema says",
    ),
  },
  {
    name: 'credentials-unbound-seal',
    means: 'Whoever can write to the database has a credential sent to an address of theirs.',
    file: `${SRC}/vault.ts`,
    search: 'JSON.stringify([FORMAT, organizationId, table, rowId, column, destination])',
    replace: 'JSON.stringify([FORMAT, organizationId, table, rowId, column, destination && 0])',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > does not open a row whose destination was changed in the database',
    ),
  },
  {
    name: 'credentials-plain-seal',
    means: 'Every secret stands readable in the database.',
    file: `${SRC}/vault.ts`,
    search: 'cipher.getAuthTag(), ciphertext]);',
    replace: 'cipher.getAuthTag(), ciphertext, Buffer.from(text)]);',
    test: serverTest(
      'credentials/vault.test.ts',
      'the vault > seals the same text differently each time, and never readably',
    ),
  },
  {
    name: 'credentials-client-secret-anywhere',
    means: 'An OAuth client secret is sent for another client than the one it belongs to.',
    file: 'packages/contract/src/rules/destinations.ts',
    search: 'return JSON.stringify([oauthIssuer, oauthClientId]);',
    replace: 'return JSON.stringify([oauthIssuer, oauthClientId && 0]);',
    test: serverTest(
      'http/integrations-oauth.test.ts',
      'PUT /integrations/:id/oauth > keeps the secrets while issuer and client id stay, and drops them when one changes',
    ),
  },
  {
    name: 'credentials-expired-connection',
    means: 'An expired credential is still sent.',
    file: `${SRC}/outcome-of.ts`,
    search: 'held.expiresAt !== undefined && held.expiresAt <= now',
    replace: 'held.expiresAt !== undefined && held.expiresAt < 0',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > sends an expired connection no longer, from memory neither',
    ),
  },
  {
    name: 'credentials-upstream-text-in-validate',
    means: 'Validate repeats what the upstream wrote into its error, which may be the token.',
    file: `${SRC}/probe/rpc-answer.ts`,
    search: '(message.id ?? null) === null ? { errorCode: error.code }',
    replace: '(message.id ?? null) === null ? { errorCode: [error.code, error.message] as never }',
    test: serverTest(
      'credentials/probe/rpc-answer.test.ts',
      'reading the answer to a JSON-RPC request > keeps the code of an error and nothing of its text',
    ),
  },
  {
    name: 'credentials-never-cached',
    means: 'Every call reads its credential from the database and opens it.',
    file: `${SRC}/resolve.ts`,
    search: 'await cache.get(keyOf(target, userId), () => load(target, userId))',
    replace: '(await load(target, userId)).value',
    test: serverTest(
      'gateway/sessions.test.ts',
      'the steady state > of a modern client makes no SQL statement, by the credential of user_token',
    ),
  },
];
