export const patches = [
  {
    name: 'credentials-schema-in-shared-state',
    promise: 'A credential schema that a caller writes changes how no other schema is read',
    means: 'A schema of one organization changes how the schemas of all are read.',
    file: 'apps/server/src/credentials/credential-schema.ts',
    search: 'const isJsonSchema = compileMetaSchema();',
    replace: `const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const isJsonSchema = (schema: JsonObject): boolean => {
  try {
    return ajv.compile(schema) !== undefined;
  } catch {
    return compileMetaSchema() === undefined;
  }
};`,
    test: {
      file: 'apps/server/test/credentials/schema-work.test.ts',
      name: 'a schema that a caller writes > may have the same id as another schema',
    },
  },
  {
    name: 'credentials-unbounded-schema',
    promise: 'Checking a schema, or fields against it',
    means: 'Whoever connects to an integration with an expensive schema stops the process.',
    file: 'packages/contract/src/rules/credential-schema/work.ts',
    search: 'const MOST_WORK = 30_000;',
    replace: 'const MOST_WORK = 30_000_000;',
    test: {
      file: 'apps/server/test/credentials/schema-work.test.ts',
      name: 'the work for one schema > is bounded for references that multiply',
    },
  },
  {
    name: 'credentials-checked-inside',
    promise: 'Fields are checked before the transaction that stores them',
    means: 'A credential is checked inside the transaction, while the row is locked.',
    file: 'apps/server/src/credentials/store-connection.ts',
    search: 'return { schema, accept: () => credential };',
    replace: 'return { schema, accept: () => toStoredCredential(schema, input ?? credential) };',
    test: {
      file: 'apps/server/test/resources/connections/checked-credential.store.test.ts',
      name: 'a credential is checked by its schema before the transaction, and only once',
    },
  },
  {
    name: 'credentials-checked-by-an-old-schema',
    promise: 'Fields are checked before the transaction that stores them',
    means: 'A credential is stored that does not fit the schema of the integration.',
    file: 'apps/server/src/credentials/store-connection.ts',
    search: '!isDeepStrictEqual(credentialSchema, checked.schema)',
    replace: 'isDeepStrictEqual(integration, checked.schema)',
    test: {
      file: 'apps/server/test/resources/connections/checked-credential.store.test.ts',
      name: 'a credential that was checked by an earlier schema is not stored',
    },
  },
  {
    name: 'contract-uncounted-list',
    promise: 'No request to the management API holds the process for long',
    means: 'Every item of a long list is parsed before the list is refused.',
    file: 'packages/contract/src/shared/unique.ts',
    search: 'if (input.length > limits.listItems) {',
    replace: 'if (input.length > limits.bodyBytes) {',
    test: {
      file: 'apps/server/test/contract/contract.test.ts',
      name: 'fetch → server > Bodies and the order of checks > lengths and counts are judged first, with at most 20 errors',
    },
  },
  {
    name: 'resources-graph-in-one-piece',
    promise: 'The access graph at its limit holds the process for no longer than any other request',
    means: 'An access graph of 5,000 edges holds up all other requests while it is written.',
    file: 'apps/server/src/http/json-in-parts.ts',
    search: 'if (texts.length % part === 0) await nextTurn();',
    replace: 'if (texts.length < 0) await nextTurn();',
    test: {
      file: 'apps/server/test/resources/access-graph/hold.test.ts',
      name: 'at its limit, the access graph lets other requests have their turn',
    },
  },
  {
    name: 'gateway-hidden-call',
    promise:
      'No `tools/call`, `prompts/get` or `resources/read` is executed that the audit and usage record as something else',
    means:
      'A long body that two parsers read differently is executed, and recorded as something else.',
    file: 'apps/server/src/gateway/request-body.ts',
    search: 'if (!fault?.mayCall) return false;',
    replace: 'if (!isWhole || !fault?.mayCall) return false;',
    test: {
      file: 'apps/server/test/gateway/hidden-calls.test.ts',
      name: 'without rules, a body in which some parser may find a call that is not recorded never reaches the upstream > with a body that goes wrong in its first part',
    },
  },
  {
    name: 'gateway-any-number-of-streams',
    promise: 'A session keeps at most 4 streams open to listen, and a person 64, on each node',
    means: 'One session opens as many streams as it likes.',
    file: 'apps/server/src/gateway/open-streams.ts',
    search: 'if (!this.#open.begin(key, streamsOfSession)) {',
    replace: 'if (!this.#open.begin(key, streamsOfPerson)) {',
    test: {
      file: 'apps/server/test/gateway/open-streams.test.ts',
      name: 'streams that are open to listen are bounded for a session, at the URL of an integration',
    },
  },
  {
    name: 'gateway-told-to-others',
    promise:
      'What a legacy client says of a request at the one URL (cancelled, progress, an answer)',
    means: 'An integration learns what a client says of a request that another one has.',
    file: 'apps/server/src/gateway/aggregate/messages-of-client.ts',
    search: "if (method === 'notifications/cancelled') void",
    replace:
      "if (method === 'notifications/cancelled') void passToBegun(client, body, deps);\n  if (method === 'notifications/cancelled') void",
    test: {
      file: 'apps/server/test/gateway/aggregate/open-calls.store.test.ts',
      name: 'messages of a client > a cancellation > of a request that nobody has reaches nobody',
    },
  },
  {
    name: 'http-ignored-change',
    promise: 'No PATCH or PUT silently ignores a read-only field that a caller meant to change',
    means: 'A PATCH with a change that it cannot make answers 200 and changes nothing.',
    file: 'apps/server/src/http/fixed-fields.ts',
    search: 'if (errors.length === 0) return;',
    replace: 'if (errors.length < 2) return;',
    test: {
      file: 'apps/server/test/contract/contract.test.ts',
      name: 'fetch → server > Bodies and the order of checks > a read-only field that someone may mean to change is taken only as it is',
    },
  },
  {
    name: 'http-replacement-characters',
    promise: 'A body that is not UTF-8 is refused',
    means: 'Bytes that are not UTF-8 are stored as replacement characters.',
    file: 'packages/contract/src/shared/json-body.ts',
    search: "new TextDecoder('utf-8', { fatal: true })",
    replace: "new TextDecoder('utf-8')",
    test: {
      file: 'apps/server/test/http/conventions.store.test.ts',
      name: 'a body > that is not UTF-8 is malformed, and stores nothing',
    },
  },
  {
    name: 'http-reset-without-answer',
    promise: 'A request with headers that are too large gets an answer',
    means: 'A client that sends too many headers gets a reset instead of an answer.',
    file: 'apps/server/src/http/node-errors.ts',
    search: '  lingerThenDestroy(socket);',
    replace: '  socket.destroy();',
    test: {
      file: 'apps/server/test/http/node-errors.test.ts',
      name: 'what Node refuses by itself > is 431 for a thousand headers, and arrives before the connection ends',
    },
  },
];
