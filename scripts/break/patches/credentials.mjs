export const patches = [
  {
    name: 'gateway-forwards-token',
    promise: "The caller's token and our session id never reach an upstream",
    means: "The caller's access token reaches the upstream.",
    file: 'apps/server/src/gateway/request-head.ts',
    search: '    if (value.length >= token.length && value.includes(token)) continue;\n',
    replace: '    if (value === token) continue;\n',
    test: {
      file: 'apps/server/test/gateway/relay.test.ts',
      name: 'the relay > sends the credential and no header of the caller that is not listed',
    },
  },
  {
    name: 'gateway-forwards-session-id',
    promise: "The caller's token and our session id never reach an upstream",
    means: 'The upstream learns the id under which its session can be used through the gateway.',
    file: 'apps/server/src/gateway/inbound.ts',
    search: '      inbound.sessionId = value;\n',
    replace: `      inbound.sessionId = value;
      inbound.forwarded.push(name, value);
`,
    test: {
      file: 'apps/server/test/gateway/sessions.store.test.ts',
      name: 'a legacy session > has an id of ours, and the upstream only ever sees its own',
    },
  },
  {
    name: 'contract-input-in-problem',
    promise: 'A secret that is refused, misplaced or misspelt is not repeated in a response',
    means: 'A refused request is answered with the secret it held.',
    file: 'packages/contract/src/shared/uris.ts',
    search: "if (message) context.addIssue({ code: 'custom', message });",
    replace: "if (message) context.addIssue({ code: 'custom', message: message + uri });",
    test: {
      file: 'packages/contract/test/shared/problem.test.ts',
      name: 'a request problem > never repeats an input value',
    },
  },
  {
    name: 'platform-token-in-log',
    promise: 'Nothing that a server process writes in a test',
    means: 'Access tokens appear in the log.',
    file: 'apps/server/src/platform/logging.ts',
    search: "  'authorization',\n",
    replace: '',
    test: {
      file: 'apps/server/test/platform/logging.test.ts',
      name: 'the log > knows the names under which secrets travel',
    },
  },
  {
    name: 'platform-error-text-in-log',
    promise: 'Nothing that a server process writes in a test',
    means: 'Headers, URLs and whatever else an error quotes appear in the log.',
    file: 'apps/server/src/platform/logging.ts',
    search: "type: error instanceof Error ? error.name : 'object',",
    replace: "type: error instanceof Error ? error.stack : 'object',",
    test: {
      file: 'apps/server/test/platform/logging.test.ts',
      name: 'the log > holds the kind, code and places of an error, but no message of it or its causes',
    },
  },
  {
    name: 'credentials-server-token-anywhere',
    promise: 'A credential is sent only to the destination it was entered for',
    means: 'A server token goes to another address than the one it was entered for.',
    file: 'apps/server/src/credentials/modes/server-token.ts',
    search: 'if (opened === undefined || opened.destination !== presentDestination(target)) {',
    replace: 'if (opened === undefined) {',
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'resolving > sends the server token as a bearer to the origin it was entered for',
    },
  },
  {
    name: 'credentials-connection-anywhere',
    promise: 'A credential is sent only to the destination it was entered for',
    means: "A user's credential goes to another address than the one it was entered for.",
    file: 'apps/server/src/credentials/modes/personal-connection.ts',
    search: 'opened.mode !== target.authMode || opened.destination !== presentDestination(target)',
    replace: 'opened.mode !== target.authMode',
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'resolving > does not send a connection that was made for another destination or mode',
    },
  },
  {
    name: 'egress-follows-redirects',
    promise: 'A credential is sent only to the destination it was entered for',
    means: 'A redirect sends the credential to another server.',
    file: 'apps/server/src/egress/request.ts',
    search: '  const head = { status: response.statusCode, headers: response.headers };\n',
    replace: `  const { location } = response.headers;
  if (typeof location === 'string') return await exchange(pool, new URL(location, url), request);
  const head = { status: response.statusCode, headers: response.headers };
`,
    test: {
      file: 'apps/server/test/egress/pools.test.ts',
      name: 'request > does not follow redirects',
    },
  },
  {
    name: 'credentials-server-token-header',
    promise:
      "A server token and a person's token are sent in the header that the credential schema names",
    means: 'A server token goes up in another header than the credential schema names.',
    file: 'apps/server/src/credentials/modes/modes.ts',
    search: 'credentialHeaders(target.credentialSchema, credential)',
    replace:
      "credentialHeaders(mode.source === 'connection' && target.credentialSchema, credential)",
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'a server token and the schema > go together: a custom header',
    },
  },
  {
    name: 'resources-unsent-server-token',
    promise: 'In the mode `server_token`',
    means: 'The mode becomes server_token with a credential schema by which nothing is sent.',
    file: 'apps/server/src/resources/integrations/service.ts',
    search: '  requireSendableToken(before, after);\n',
    replace: '',
    test: {
      file: 'apps/server/test/contract/contract.store.test.ts',
      name: 'fetch → server > Changes of integrations > keep a credential schema that can send the server token',
    },
  },
  {
    name: 'credentials-unbound-seal',
    promise: 'A sealed value opens only in its own row',
    means: 'Someone who can write to the database can have a credential sent to another address.',
    file: 'apps/server/src/vault/vault.ts',
    search: 'const inBoth = [format, organizationId, table, rowId, column, destination];',
    replace: 'const inBoth = [format, organizationId, table, rowId, column, destination && 0];',
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'resolving > does not open a row after its destination was changed in the database',
    },
  },
  {
    name: 'http-stored-response-of-nobody',
    promise: 'A sealed value opens only in its own row',
    means: 'Who can write to the database has the secret in one response replayed to another user.',
    file: 'apps/server/src/vault/seal-contexts.ts',
    search: 'boundTo: [userId, operation, key],',
    replace: 'boundTo: [operation],',
    test: {
      file: 'apps/server/test/http/stored-responses.store.test.ts',
      name: 'a stored response that was reassigned to another user in the database is not replayed',
    },
  },
  {
    name: 'credentials-plain-seal',
    promise: 'A sealed value opens only in its own row',
    means: 'Every secret is readable in the database.',
    file: 'apps/server/src/vault/vault.ts',
    search: 'cipher.getAuthTag(), ciphertext]);',
    replace: 'cipher.getAuthTag(), ciphertext, Buffer.from(text)]);',
    test: {
      file: 'apps/server/test/vault/vault.test.ts',
      name: 'the vault > seals the same text differently each time, and never readably',
    },
  },
  {
    name: 'credentials-old-format-stays',
    promise: 'What an earlier version had bound to less is sealed again at its first use',
    means: 'What an earlier version stored stays bound to its row alone, however often it is used.',
    file: 'apps/server/src/credentials/modes/mode.ts',
    search: 'if (isOutdated(row)) await',
    replace: 'if (isOutdated({ ...row, sealed: Buffer.of(2) })) await',
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'resolving > seals a row of the first format again at its first use',
    },
  },
  {
    name: 'refresh-without-lease',
    promise: 'However many processes and callers use a connection',
    means: 'Two nodes refresh the same tokens at once, and the provider takes one for a thief.',
    file: 'apps/server/src/credentials/oauth/refresh/lease.ts',
    search: 'AND ("leaseUntil" IS NULL OR "leaseUntil" <= now())',
    replace: 'AND ("leaseUntil" IS NULL OR true)',
    test: {
      file: 'apps/server/test/credentials/oauth/refresh/refresh.store.test.ts',
      name: 'an access token > is refreshed once by many nodes, which all get the new one',
    },
  },
  {
    name: 'refresh-after-its-lease',
    promise: 'However many processes and callers use a connection',
    means: 'A process that was stopped sends a refresh token that another one has used meanwhile.',
    file: 'apps/server/src/credentials/oauth/refresh/lease.ts',
    search: 'performance.now() - begun <= LEASE - REQUEST_TIMEOUT',
    replace: 'performance.now() - begun >= LEASE - LEASE',
    test: {
      file: 'apps/server/test/credentials/oauth/refresh/lease.store.test.ts',
      name: 'a lease > leaves no time for a request once the rest is shorter than a request may take',
    },
  },
  {
    name: 'refresh-transient-ends-grant',
    promise: 'A refresh that fails deletes nothing',
    means: 'A provider that is down for a moment ends every grant.',
    file: 'apps/server/src/credentials/oauth/refresh/refresher.ts',
    search: "if (outcome === 'needs_user') await recordEnd(store, lease);",
    replace: "if (outcome !== 'misconfigured') await recordEnd(store, lease);",
    test: {
      file: 'apps/server/test/credentials/oauth/refresh/refresh.store.test.ts',
      name: 'a refresh that fails > with a cut connection loses nothing',
    },
  },
  {
    name: 'refresh-ended-grant-deleted-silently',
    promise: 'A refresh that fails deletes nothing',
    means: 'A grant that the provider has ended looks healthy.',
    file: 'apps/server/src/credentials/oauth/refresh/record.ts',
    search: 'SET "reason" = \'needs_reauth\', "leaseOwner"',
    replace: 'SET "leaseOwner"',
    test: {
      file: 'apps/server/test/credentials/oauth/refresh/refresh.store.test.ts',
      name: 'a refresh that fails > because the grant has ended says so, keeps the row, and asks the provider no more',
    },
  },
  {
    name: 'refresh-for-another-issuer',
    promise: "No token is refreshed after its integration's address",
    means: 'A refresh token is sent although the integration has another issuer now.',
    file: 'apps/server/src/credentials/oauth/refresh/refresh-grant.ts',
    search: 'target.authMode === mode && destination === presentDestination(target)',
    replace: 'target.authMode === mode && presentDestination(target) !== destination + destination',
    test: {
      file: 'apps/server/test/credentials/oauth/refresh/refresh.store.test.ts',
      name: 'nothing is sent > for a connection to an integration that now has another issuer or client',
    },
  },
  {
    name: 'revocation-forgotten',
    promise: 'The tokens of a connection that is deleted are revoked at their provider',
    means: 'Disconnecting leaves the tokens valid at the provider.',
    file: 'apps/server/src/credentials/oauth/revocation/outbox.ts',
    search: 'FROM deleted WHERE "mode" = \'oauth\'',
    replace: 'FROM deleted WHERE "mode" <> \'oauth\'',
    test: {
      file: 'apps/server/test/credentials/oauth/revocation/revocation.store.test.ts',
      name: 'disconnecting > deletes the connection first, and revokes both tokens after the commit',
    },
  },
  {
    name: 'connect-link-of-another',
    promise: 'An account is connected only to the person who began',
    means: 'Who gets hold of a link connects an account of theirs for the person it was made for.',
    file: 'apps/server/src/connect/link-page.ts',
    search: 'else if (link.userId === userId) return link;',
    replace: "else if (link.userId !== '' && userId) return link;",
    test: {
      file: 'apps/server/test/connect/deputy.store.test.ts',
      name: 'a link of another person > shows nothing of them, and goes on working for them',
    },
  },
  {
    name: 'connect-callback-in-another-browser',
    promise: 'An account is connected only to the person who began',
    means: "A callback that an attacker sends a person connects the attacker's account.",
    file: 'apps/server/src/credentials/connect/attempts.ts',
    search: '"browserHash" = ${hashSecret(browser)}',
    replace: '"browserHash" <> ${Buffer.of()} AND ${hashSecret(browser)}::bytea IS NOT NULL',
    test: {
      file: 'apps/server/test/connect/deputy.store.test.ts',
      name: 'a callback > in another browser of the same person does nothing, and uses nothing up',
    },
  },
  {
    name: 'connect-changed-meanwhile',
    promise: 'An account is connected only to the person who began',
    means: 'Tokens are stored for an address that they were not given for.',
    file: 'apps/server/src/credentials/connect/finish-connecting.ts',
    search: 'integration === null || integration.validationEpoch !== validationEpoch',
    replace: 'integration === null || integration.validationEpoch < validationEpoch',
    test: {
      file: 'apps/server/test/connect/deputy.store.test.ts',
      name: 'a callback > during which the url is changed revokes the new tokens at the provider',
    },
  },
  {
    name: 'credentials-key-missing-unsaid',
    promise:
      'A credential with a missing encryption key is distinguished from one that must be entered again',
    means:
      'People are asked to enter credentials again although only an encryption key is missing.',
    file: 'apps/server/src/credentials/modes/mode.ts',
    search: "error.code === 'unknown_key'",
    replace: "error.code === 'unknown_format'",
    test: {
      file: 'apps/server/test/credentials/resolve.test.ts',
      name: 'resolving > tells a missing encryption key from a row that is broken',
    },
  },
];
