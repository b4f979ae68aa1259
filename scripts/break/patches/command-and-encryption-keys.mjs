export const patches = [
  {
    name: 'keys-of-a-node-that-ended',
    promise: 'A node that ends in order leaves no trace among the running ones',
    means:
      'For a minute after a restart, steps with keys are refused because of a node that is gone.',
    file: 'apps/server/src/vault/node-keys.ts',
    search: '      await speaking;\n',
    replace: '',
    test: {
      file: 'apps/server/test/vault/node-keys.store.test.ts',
      name: 'the keys of the nodes > are gone after the end of a node that was just reporting them',
    },
  },
  {
    name: 'keys-nodes-differ',
    promise: 'A node does not start that would seal what a running node cannot open',
    means: 'A node seals what the others cannot open: calls fail in a rolling restart.',
    file: 'apps/server/src/vault/node-keys.ts',
    search: "if (keyIds.length > 0) throw new KeyringError('not_shared', keyIds);",
    replace: 'void keyIds;',
    test: {
      file: 'apps/server/test/vault/node-keys.store.test.ts',
      name: 'the keys of the nodes > on several nodes > keep a node from starting that would seal what another cannot open',
      store: 'postgresql',
    },
  },
  {
    name: 'keys-activated-too-early',
    promise: 'A key is activated, rewrapped to and retired in that order alone',
    means: 'The command advises to seal with a key that a node does not have.',
    file: 'apps/server/src/control/requests/keys.ts',
    search: 'if (key.missingOn.length > 0) {',
    replace: 'if (key.missingOn.length > 100) {',
    test: {
      file: 'apps/server/test/control/requests.test.ts',
      name: 'requests of the command > do not activate a key that is missing on a node, or retired',
    },
  },
  {
    name: 'keys-rewrap-forgets-a-table',
    promise: 'Every table of the schema with sealed values is counted and rewrapped',
    means: 'A key can never be retired, or takes values with it.',
    file: 'apps/server/src/vault/sealed-tables.ts',
    search: "  table('OauthToken', NOTHING, (row: OauthToken) => tokenResponseSealContext(row)),\n",
    replace: '',
    test: {
      file: 'apps/server/test/vault/rewrap.store.test.ts',
      name: 'covers every table of the schema that names an encryption key',
    },
  },
  {
    name: 'keys-rewrap-writes-over',
    promise: 'Rewrapping writes over nothing that was stored meanwhile',
    means: 'Replacing a key brings an old credential back that its person has just replaced.',
    file: 'apps/server/src/vault/rewrap.ts',
    search: 'AND r."sealed" = decode(g."old", \'hex\')',
    replace: '',
    test: {
      file: 'apps/server/test/vault/rewrap.store.test.ts',
      name: 'rewrapping > does not write over what was stored meanwhile',
    },
  },
  {
    name: 'command-any-json',
    promise: 'With `--json` a command prints one document and nothing else on standard output',
    means: 'A script that reads the output of a command gets text when it fails.',
    file: 'apps/server/src/commands/run-command-line.ts',
    search: 'if (isJson) stdout.write(',
    replace: 'if (!isJson) stdout.write(',
    test: {
      file: 'apps/server/test/commands/command-line.test.ts',
      name: 'the command line > with --json an error is the one document on standard output, too',
    },
  },
];
