import { serverTest } from '../places.mjs';

const SRC = 'apps/server/src/credentials';

export const credentialsPatches = [
  {
    name: 'credentials-server-token-anywhere',
    means: 'A server token goes to another address than the one it was entered for.',
    file: `${SRC}/modes/server-token.ts`,
    search: 'if (opened === undefined || opened.destination !== presentDestination(target)) {',
    replace: 'if (opened === undefined) {',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > sends the server token as a bearer to the origin it was entered for',
    ),
  },
  {
    name: 'credentials-connection-anywhere',
    means: "A user's credential goes to another address than the one it was entered for.",
    file: `${SRC}/modes/personal-connection.ts`,
    search: 'opened.mode !== target.authMode || opened.destination !== presentDestination(target)',
    replace: 'opened.mode !== target.authMode',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > keeps a connection to another destination or of another mode to itself',
    ),
  },
  {
    name: 'credentials-of-another-organization',
    means: 'A connection of any organization is found.',
    file: `${SRC}/modes/personal-connection.ts`,
    search: 'where: { integrationId_userId: { integrationId, userId }, organizationId },',
    replace: 'where: { integrationId_userId: { integrationId, userId } },',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > never answers for an integration of another organization',
    ),
  },
  {
    name: 'credentials-shared-connection',
    means: "One user's calls are sent with the credential of another.",
    file: `${SRC}/modes/personal-connection.ts`,
    search: `userId) => \`\${integrationId}:\${userId}\`,`,
    replace: `userId) => \`\${integrationId}:\${userId.length}\`,`,
    test: serverTest(
      'credentials/resolve.test.ts',
      "resolving > sends the caller's own connection, as the schema says",
    ),
  },
  {
    name: 'credentials-unbound-seal',
    means: 'Someone who can write to the database can have a credential sent to another address.',
    file: 'apps/server/src/vault/vault.ts',
    search: 'const inBoth = [format, organizationId, table, rowId, column, destination];',
    replace: 'const inBoth = [format, organizationId, table, rowId, column, destination && 0];',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > does not open a row whose destination was changed in the database',
    ),
  },
  {
    name: 'credentials-plain-seal',
    means: 'Every secret is readable in the database.',
    file: 'apps/server/src/vault/vault.ts',
    search: 'cipher.getAuthTag(), ciphertext]);',
    replace: 'cipher.getAuthTag(), ciphertext, Buffer.from(text)]);',
    test: serverTest(
      'vault/vault.test.ts',
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
      'resources/integrations/oauth.test.ts',
      'PUT /integrations/:id/oauth > keeps the client secret while issuer and client id stay, and drops it when one changes',
    ),
  },
  {
    name: 'credentials-expired-connection',
    means: 'An expired credential is still sent.',
    file: `${SRC}/modes/personal-connection.ts`,
    search: 'opened.expiresAt !== undefined && opened.expiresAt <= now',
    replace: 'opened.expiresAt !== undefined && opened.expiresAt < 0',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > sends an expired connection no longer, from memory neither',
    ),
  },
  {
    name: 'credentials-upstream-text-in-validate',
    means: 'Validate repeats the error text of the upstream, which may contain the token.',
    file: `${SRC}/probe/rpc-response.ts`,
    search: '(message.id ?? null) === null ? { errorCode: error.code }',
    replace: '(message.id ?? null) === null ? { errorCode: [error.code, error.message] as never }',
    test: serverTest(
      'credentials/probe/rpc-response.test.ts',
      'reading the answer to a JSON-RPC request > keeps the code of an error and nothing of its text',
    ),
  },
  {
    name: 'credentials-never-cached',
    means: 'Every call reads its credential from the database and decrypts it.',
    file: `${SRC}/resolve.ts`,
    search: 'await cache.get(key, () => load(stored, target, userId))',
    replace: '(await load(stored, target, userId)).value',
    test: serverTest(
      'gateway/sessions.test.ts',
      'the steady state > of a modern client makes no SQL statement, by the credential of user_token',
    ),
  },
  {
    name: 'credentials-server-token-header',
    means: 'A server token goes up in another header than the credential schema names.',
    file: 'apps/server/src/credentials/resolve.ts',
    search: 'credentialHeaders(target.credentialSchema, credential)',
    replace:
      "credentialHeaders(mode.source === 'connection' && target.credentialSchema, credential)",
    test: serverTest(
      'credentials/resolve.test.ts',
      'a server token and the schema > go together: a header of its own',
    ),
  },
  {
    name: 'credentials-redirect-repeats-secret',
    means:
      'A server that repeats a credential in a redirect has it shown in the result of validate.',
    file: 'apps/server/src/credentials/probe/same-origin-redirect.ts',
    search: 'path === undefined || isRepeated ? undefined',
    replace: 'path === undefined ? undefined',
    test: serverTest(
      'credentials/probe/redirects.test.ts',
      'validating a server that redirects > names nothing of a path that repeats the credential',
    ),
  },
  {
    name: 'credentials-bound-to-no-user',
    means: 'Who can write to the database has the credential of one person sent for another.',
    file: 'apps/server/src/vault/seal-contexts.ts',
    search: 'const boundTo = [integrationId, userId, mode];',
    replace: 'const boundTo = [integrationId, mode, userId.slice(99)];',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > does not open a connection that was made over to another user in the database',
    ),
  },
  {
    name: 'credentials-old-format-stays',
    means: 'What an earlier version stored stays bound to its row alone, however often it is used.',
    file: 'apps/server/src/credentials/modes/mode.ts',
    search: 'if (isOutdated(row)) await',
    replace: 'if (isOutdated({ ...row, sealed: Buffer.of(2) })) await',
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > seals again, at its first use, what the first format had bound to less',
    ),
  },
  {
    name: 'credentials-key-missing-unsaid',
    means: 'People are told to enter credentials again although only an encryption key is missing.',
    file: 'apps/server/src/credentials/modes/mode.ts',
    search: "error.code === 'unknown_key'",
    replace: "error.code === 'unknown_format'",
    test: serverTest(
      'credentials/resolve.test.ts',
      'resolving > tells a missing encryption key from a row that is broken',
    ),
  },
  {
    name: 'credentials-schema-in-shared-state',
    means: 'A schema of one organization changes how the schemas of all are read.',
    file: `${SRC}/credential-schema.ts`,
    search: 'const isJsonSchema = compileMetaSchema();',
    replace: `const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const isJsonSchema = (schema: JsonObject): boolean => {
  try {
    return ajv.compile(schema) !== undefined;
  } catch {
    return compileMetaSchema() === undefined;
  }
};`,
    test: serverTest(
      'credentials/schema-work.test.ts',
      'what a caller writes as a schema > has an id that means nothing: another schema may have the same',
    ),
  },
  {
    name: 'credentials-unbounded-schema',
    means: 'Whoever connects to an integration with an expensive schema stops the process.',
    file: 'packages/contract/src/rules/credential-schema/work.ts',
    search: 'const MOST_WORK = 30_000;',
    replace: 'const MOST_WORK = 30_000_000;',
    test: serverTest(
      'credentials/schema-work.test.ts',
      'the work for one schema > is bounded for references that multiply',
    ),
  },
  {
    name: 'credentials-checked-inside',
    means: 'A credential is checked inside the transaction, while the row is locked.',
    file: `${SRC}/store-connection.ts`,
    search: 'return { schema, accept: () => credential };',
    replace: 'return { schema, accept: () => toStoredCredential(schema, input ?? credential) };',
    test: serverTest(
      'resources/connections/checked-credential.test.ts',
      'a credential is checked by its schema before the transaction, and only once',
    ),
  },
  {
    name: 'credentials-checked-by-an-old-schema',
    means: 'A credential is stored that does not fit the schema of the integration.',
    file: `${SRC}/store-connection.ts`,
    search: '!isDeepStrictEqual(credentialSchema, checked.schema)',
    replace: 'isDeepStrictEqual(integration, checked.schema)',
    test: serverTest(
      'resources/connections/checked-credential.test.ts',
      'a credential that was checked by an earlier schema is not stored',
    ),
  },
  {
    name: 'credentials-old-transport-unnamed',
    means: 'An admin is not told that a server speaks a transport that cannot be relayed.',
    file: `${SRC}/probe/old-transport.ts`,
    search: 'return isOpened && ENDPOINT_EVENT',
    replace: 'return isOpened && status !== 200 && ENDPOINT_EVENT',
    test: serverTest(
      'credentials/probe/redirects.test.ts',
      'validating a server of the old HTTP+SSE transport > names it',
    ),
  },
  {
    name: 'credentials-old-transport-everywhere',
    means: 'A server whose stream says "event: endpoint" somewhere is taken for an old one.',
    file: `${SRC}/probe/old-transport.ts`,
    search: '/^event: ?endpoint\\r?$/m',
    replace: '/event: ?endpoint\\r?$/m',
    test: serverTest(
      'credentials/probe/redirects.test.ts',
      'validating a server of the old HTTP+SSE transport > takes no other stream for one',
    ),
  },
];
