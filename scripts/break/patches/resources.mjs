import { onPostgresql, serverTest, suiteTest } from '../places.mjs';

const SRC = 'apps/server/src/resources';

export const resourcesPatches = [
  {
    name: 'resources-wrong-status',
    means: 'A created integration is answered with 200 instead of 201.',
    file: `${SRC}/integrations/router.ts`,
    search: 'status: 201,',
    replace: 'status: 200 as 201,',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'POST /integrations > fills in the defaults and leaves out what is empty',
    ),
  },
  {
    name: 'resources-graph-in-one-piece',
    means: 'An access graph of 5,000 edges holds up all other requests while it is written.',
    file: 'apps/server/src/http/json-in-parts.ts',
    search: 'if (texts.length % PART === 0) await nextTurn();',
    replace: 'if (texts.length < 0) await nextTurn();',
    test: serverTest(
      'resources/access-graph/hold.test.ts',
      'at its limit, the access graph lets other requests have their turn',
    ),
  },
  {
    name: 'resources-unsent-server-token',
    means: 'The mode becomes server_token with a credential schema by which nothing is sent.',
    file: `${SRC}/integrations/service.ts`,
    search: '  requireSendableToken(before, after);\n',
    replace: '',
    test: suiteTest(
      'server',
      'Changes of integrations > keep a credential schema that can send the server token',
    ),
  },
  {
    name: 'resources-stuck-integration',
    means: 'An integration stored with such a schema cannot be renamed.',
    file: `${SRC}/integrations/policy.ts`,
    search: '  if (isStored) return;\n',
    replace: '',
    test: serverTest(
      'resources/integrations/update.test.ts',
      'PATCH /integrations/:id > changes the rest of a row that was stored with a schema that cannot send its server token',
    ),
  },
  {
    name: 'resources-foreign-integration',
    means: 'Anyone who knows an id can read the integrations of other organizations.',
    file: `${SRC}/integrations/repository.ts`,
    search: 'where: { id, organizationId: actor.organizationId },',
    replace: 'where: { id },',
    test: serverTest(
      'http/authorization.test.ts',
      "'integrations.get' > hides the ids of another organization",
    ),
  },
  {
    name: 'resources-foreign-attachment',
    means: "Another organization's integration can be attached and used.",
    file: `${SRC}/integrations/repository.ts`,
    search: `WHERE "id" = ANY(\${[...ids]}::uuid[]) AND "organizationId" = \${organizationId}::uuid`,
    replace: `WHERE "id" = ANY(\${[...ids]}::uuid[]) AND \${organizationId}::uuid IS NOT NULL`,
    test: serverTest(
      'resources/applications/attachments.test.ts',
      'PUT /applications/:id/integrations > names every id that cannot be attached, and changes nothing',
    ),
  },
  {
    name: 'resources-foreign-token',
    means: 'An admin of one organization revokes the tokens of another.',
    file: `${SRC}/tokens/policy.ts`,
    search: 'return isAdmin(actor) ? { organizationId }',
    replace: 'return isAdmin(actor) ? {}',
    test: serverTest(
      'http/authorization.test.ts',
      "'tokens.revoke' > hides the ids of another organization",
    ),
  },
  {
    name: 'resources-applications-of-others',
    means: 'A member reads and changes the applications of other members.',
    file: `${SRC}/applications/policy.ts`,
    search: 'return isAdmin(actor) ? { organizationId: actor.organizationId } : ownedBy(actor);',
    replace: 'return { organizationId: actor.organizationId };',
    test: serverTest(
      'http/authorization.test.ts',
      "'applications.get' > answers the member as the table says",
    ),
  },
  {
    name: 'resources-set-without-if-match',
    means: 'Replacing the attached integrations undoes what another administrator did.',
    file: `${SRC}/applications/attachment-service.ts`,
    search: `  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const before`,
    replace: `  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const before`,
    test: serverTest(
      'resources/applications/attachments.test.ts',
      'PUT /applications/:id/integrations > refuses a version that is not the present one',
    ),
  },
  {
    name: 'resources-lists-archived',
    means: 'Archived integrations stay in the list.',
    file: `${SRC}/integrations/repository.ts`,
    search: '          ...(includeArchived ? {} : { archivedAt: null }),\n',
    replace: '',
    test: serverTest(
      'resources/integrations/integrations.test.ts',
      'GET /integrations > leaves archived ones out unless asked, for every role',
    ),
  },
  {
    name: 'resources-attaches-archived',
    means: 'An archived integration can be attached.',
    file: `${SRC}/applications/attachment-service.ts`,
    search: '  requireActiveIntegration(integration);\n',
    replace: '',
    test: serverTest(
      'resources/applications/attachments.test.ts',
      'POST /applications/:id/integrations/:integrationId > refuses an archived integration, unless it is attached already',
    ),
  },
  {
    name: 'resources-revives-old-secret',
    means: 'A replaced client secret can still be read by repeating the request that made it.',
    file: `${SRC}/applications/service.ts`,
    search: `  const { secret, hash } = newClientSecret();
  await eraseResponsesWithSecretOf(tx.db, id);`,
    replace: '  const { secret, hash } = newClientSecret();',
    test: serverTest(
      'resources/applications/oauth.test.ts',
      'an Idempotency-Key > rotates once, and replays that secret until the next rotation',
    ),
  },
  {
    name: 'resources-revoked-token-lives',
    means: 'A revoked token is accepted while it is cached.',
    file: `${SRC}/tokens/service.ts`,
    search: '  await revokeSessionsOfToken(tx, id);\n',
    replace: '',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      'DELETE /tokens/:id > kills the token at once; a second revocation is 404',
    ),
  },
  {
    name: 'resources-expired-token-lives',
    means: 'A token is accepted after its expiry.',
    file: 'apps/server/src/identity/tokens.ts',
    search: `  WHERE (t."expiresAt" IS NULL OR t."expiresAt" > clock_timestamp())`,
    replace: '  WHERE true',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      'a token with an expiry > is refused once that is past, from the database as from memory',
    ),
  },
  {
    name: 'resources-token-outgrows-itself',
    means: 'A token that may only read makes one that may write.',
    file: `${SRC}/tokens/policy.ts`,
    search: 'if (!scopes.every((scope) => own.includes(scope))) {',
    replace: 'if (!scopes) {',
    test: serverTest(
      'resources/tokens/tokens.test.ts',
      'POST /tokens > cannot grant a scope the calling token lacks',
    ),
  },
  {
    name: 'resources-token-outlives-its-maker',
    means: 'Who has a token for a day can make one for ever.',
    file: `${SRC}/tokens/policy.ts`,
    search: 'if (tokenExpiresAt === null) return;',
    replace: 'if (own) return;',
    test: suiteTest('server', 'Account > a token that expires makes none that lives longer'),
  },
  {
    name: 'resources-promoted-invitation',
    means: 'Who has seen an invitation gets the role that its member was promoted to.',
    file: `${SRC}/members/service.ts`,
    search: '  if (isPromotion(current.role, change.role)) await endInvitations(mutation, id);\n',
    replace: '',
    test: suiteTest('server', 'Account > a promotion ends the invitation that is out'),
  },
  {
    name: 'resources-endless-page',
    means:
      'A page of applications with hundreds of integrations each holds the process for seconds.',
    file: 'packages/contract/src/rules/fitting-applications.ts',
    search: 'return index > 0 && total > limits.pageAttachments;',
    replace: 'return index < 0 && total > limits.pageAttachments;',
    test: serverTest(
      'resources/applications/list.test.ts',
      'a page > ends early where its applications have many integrations together',
    ),
  },
  {
    name: 'resources-no-last-owner',
    means: 'An organization can lose its last owner.',
    file: `${SRC}/members/service.ts`,
    search: 'organizationId)) > 1) return;',
    replace: 'organizationId)) > 0) return;',
    test: suiteTest('server', 'Account > the last owner stays one'),
  },
  {
    name: 'resources-stale-validation',
    means: 'An integration that was changed during its validation is shown as valid.',
    file: `${SRC}/integrations/repository.ts`,
    search: 'where: { id, organizationId, validationEpoch, archivedAt: null },',
    replace: 'where: { id, organizationId, archivedAt: null },',
    test: serverTest(
      'resources/integrations/validate.test.ts',
      'POST /integrations/:id/validate > does not overwrite a change that came while it was under way',
    ),
  },
  {
    name: 'resources-token-moves-along',
    means: 'A server token is sent to any address that the URL is changed to.',
    file: `${SRC}/integrations/secrets.ts`,
    search: "return hasSecret(secrets, 'server_token', tokenDestination(url));",
    replace: "return secrets.some(({ kind }) => kind === 'server_token') || url === '';",
    test: serverTest(
      'resources/integrations/update.test.ts',
      'PATCH /integrations/:id > binds a server token to the origin it was entered for',
    ),
  },
  {
    name: 'resources-replaced-token-cached',
    means: 'The gateway keeps using a server token that was replaced.',
    file: `${SRC}/integrations/service.ts`,
    search: `  tx.announce({ kind: 'integration', id });
  return integration;`,
    replace: '  return integration;',
    test: serverTest(
      'gateway/credentials.test.ts',
      'a replaced credential > of the organization is the one that goes up from then on',
    ),
  },
  {
    name: 'resources-replaced-connection-cached',
    means: 'The gateway keeps using a credential that its user replaced.',
    file: 'apps/server/src/credentials/store-connection.ts',
    search: `  tx.announce({ kind: 'connection', id: \`\${integrationId}:\${userId}\` });
  return connection;`,
    replace: '  return connection;',
    test: serverTest(
      'gateway/credentials.test.ts',
      'a replaced credential > of a user is the one that goes up from then on',
    ),
  },
  {
    name: 'resources-plain-connection',
    means: "Users' tokens are stored in plain text.",
    file: 'apps/server/src/credentials/store-connection.ts',
    search: `connectionSealContext(row)),
`,
    replace: `connectionSealContext(row)),
    sealed: Buffer.from(serializeCredential(credential)),
`,
    test: serverTest(
      'resources/connections/connections.test.ts',
      'POST /integrations/:id/connection > connects the caller alone, and seals the token',
    ),
  },
  {
    name: 'resources-token-use-per-call',
    means: 'Every call writes when its token was used.',
    file: 'apps/server/src/identity/token-use.ts',
    search: '      if (notedThisMinute.has(tokenId)) return;\n',
    replace: '      void touchTokens(store.db, [tokenId]);\n',
    test: serverTest(
      'gateway/sessions.test.ts',
      'the steady state > of a modern client makes no SQL statement, by the credential of none',
    ),
  },
  {
    name: 'resources-detach-foreign',
    means: 'Whether an id is that of an integration of another organization can be found out.',
    file: `${SRC}/applications/attachment-service.ts`,
    search: '  await requireIntegration(tx.db, actor, integrationId);\n',
    replace: '',
    test: serverTest(
      'http/authorization.test.ts',
      "'applications.detachIntegration' > hides the id of another organization in place of :integrationId alone",
    ),
  },
  {
    name: 'resources-filter-by-locale',
    means: 'On a database with LC_CTYPE=C a list filtered by "ärger" lacks "Ärger".',
    file: `${SRC}/integrations/name-filter.ts`,
    search: 'if (ASCII_TRIGRAM.test(page.name)) {',
    replace: 'if (ASCII_TRIGRAM.test(page.name) || page.name.length > 2) {',
    test: serverTest(
      'resources/integrations/name-filter.test.ts',
      'on a database whose locale is C > a name filter of ärger finds Ärger',
      onPostgresql,
    ),
  },
];
