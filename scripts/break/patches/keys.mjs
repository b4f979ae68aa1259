import { onPostgresql, serverTest } from '../places.mjs';

const VAULT = 'apps/server/src/vault';
const REQUESTS = 'apps/server/src/control/requests';

export const keysPatches = [
  {
    name: 'keys-rewrap-writes-over',
    means: 'Replacing a key brings an old credential back that its person has just replaced.',
    file: `${VAULT}/rewrap.ts`,
    search: `AND r."sealed" = decode(g."old", 'hex')`,
    replace: '',
    test: serverTest(
      'vault/rewrap.test.ts',
      'rewrapping > does not write over what was stored meanwhile',
    ),
  },
  {
    name: 'keys-rewrap-forgets-a-table',
    means: 'A key can never be retired, or takes values with it.',
    file: `${VAULT}/sealed-tables.ts`,
    search: `  table('OauthToken', NOTHING, (row: OauthToken) => tokenResponseSealContext(row)),\n`,
    replace: '',
    test: serverTest(
      'vault/rewrap.test.ts',
      'covers every table of the schema that names an encryption key',
    ),
  },
  {
    name: 'keys-rewrap-loses-the-destination',
    means: 'Open sessions do not survive the replacement of a key.',
    file: `${VAULT}/sealed-tables.ts`,
    search: 'new URL(row.url).origin',
    replace: 'new URL(row.url).host',
    test: serverTest(
      'vault/rewrap.test.ts',
      'rewrapping > seals one row of every table again, with what it is bound to',
    ),
  },
  {
    name: 'keys-rewrap-done-too-early',
    means: 'The command says that all is done while a row was locked.',
    file: `${VAULT}/rewrap.ts`,
    search: 'isDone: !signal.aborted && passed === 0',
    replace: 'isDone: !signal.aborted',
    test: serverTest(
      'vault/rewrap.test.ts',
      'rewrapping > does not write over what was stored meanwhile',
    ),
  },
  {
    name: 'keys-nodes-differ',
    means: 'A node seals what the others cannot open: calls fail in a rolling restart.',
    file: `${VAULT}/node-keys.ts`,
    search: "if (keyIds.length > 0) throw new KeyringError('not_shared', keyIds);",
    replace: 'void keyIds;',
    test: serverTest(
      'vault/node-keys.test.ts',
      'the keys of the nodes > on several nodes > keep a node from starting that would seal what another cannot open',
      onPostgresql,
    ),
  },
  {
    name: 'keys-activated-too-early',
    means: 'The operator is told to let a key seal that a node does not have.',
    file: `${REQUESTS}/keys-activate.ts`,
    search: 'if (key.missingOn.length > 0) {',
    replace: 'if (key.missingOn.length > 100) {',
    test: serverTest(
      'control/requests.test.ts',
      'requests of the command > do not activate a key that is missing on a node, or retired',
    ),
  },
  {
    name: 'keys-retired-too-early',
    means: 'A key goes that rows are still sealed with.',
    file: `${REQUESTS}/keys-retire.ts`,
    search: 'if (key.total > 0) {',
    replace: 'if (key.total > 1_000_000) {',
    test: serverTest(
      'control/requests.test.ts',
      'requests of the command > retire a key in the right order alone',
    ),
  },
  {
    name: 'keys-retired-at-once',
    means: 'What was sealed a moment before the change is lost.',
    file: `${REQUESTS}/keys-retire.ts`,
    search: 'if (waitSeconds > 0) return { waitSeconds, isRemoved: false };',
    replace: '',
    test: serverTest(
      'control/requests.test.ts',
      'requests of the command > wait before they retire what sealed in this process a moment ago',
    ),
  },
  {
    name: 'keys-rewrapped-with-another',
    means: 'A command with a wrong key makes every secret unreadable.',
    file: `${REQUESTS}/keys-rewrap.ts`,
    search: '    await assertKeysLoaded(store.db, keyring);\n',
    replace: '',
    test: serverTest(
      'control/requests.test.ts',
      'requests of the command > do not rewrap with a key of other bytes than the nodes have',
    ),
  },
  {
    name: 'keys-retired-seals-again',
    means: 'A key that was given up because it is known seals again.',
    file: `${VAULT}/key-check.ts`,
    search: "if (found?.retiredAt) throw new KeyringError('key_retired', [keyId]);",
    replace: 'void found;',
    test: serverTest(
      'vault/node-keys.test.ts',
      'the keys of the nodes > do not include a retired one that would seal',
    ),
  },
  {
    name: 'command-any-json',
    means: 'A script that reads the output of a command gets text when it fails.',
    file: 'apps/server/src/commands/run-command-line.ts',
    search: 'if (isJson) stdout.write(',
    replace: 'if (!isJson) stdout.write(',
    test: serverTest(
      'commands/command-line.test.ts',
      'the command line > with --json an error is the one document on standard output, too',
    ),
  },
];
