const FILE = 'apps/server/test/audit/verify/tampering.test.ts';
const INSIDER = 'what an insider changes who ends the file as the server does';

export const patches = [
  {
    name: 'audit-bytes-not-hashed',
    promise: 'An export with any bit flipped',
    means: 'A file that was edited looks as the server wrote it.',
    file: 'apps/server/src/audit/verify/export-check.ts',
    search: "if (end.hash !== this.#hash.digest('hex')) {",
    replace: 'if (end.hash === undefined) {',
    test: {
      file: FILE,
      name: 'a file that is changed > is not verified with white space that changes no value',
    },
  },
  {
    name: 'audit-calls-not-compared',
    promise: 'What is missing, changed, moved or foreign in an export is named',
    means: 'An administrator changes who made a call, and the export verifies.',
    file: 'apps/server/src/audit/verify/block-events.ts',
    search: 'if (JSON.stringify(said) !== JSON.stringify(found)) {',
    replace: 'if (said.length !== found.length) {',
    test: {
      file: FILE,
      name: `${INSIDER} > a call event that is left out, changed or moved is found in its block`,
    },
  },
  {
    name: 'audit-block-passed-off',
    promise: 'What is missing, changed, moved or foreign in an export is named',
    means: "An administrator hides events by showing their block as another organization's.",
    file: 'apps/server/src/audit/verify/export-body.ts',
    search: 'if (isInside && this.#isOwn(line)) {',
    replace: 'if (isInside && line.owner === line.content) {',
    test: {
      file: FILE,
      name: `${INSIDER} > a block that is shown as that of another organization is found`,
    },
  },
  {
    name: 'audit-witness-not-heard',
    promise: 'A tail that was cut off a run shows',
    means: 'The last blocks of a node that was attacked are gone, and nobody notices.',
    file: 'apps/server/src/audit/verify/run-check.ts',
    search: 'if (number > this.#lastNumber) {',
    replace: 'if (number > this.#lastNumber + 1) {',
    test: {
      file: FILE,
      name: 'a tail that is cut off > of the run that crashed shows by what another run has seen',
    },
  },
  {
    name: 'audit-old-key-goes-on',
    promise: 'A block counts only with the signature of a key',
    means: 'A key that was replaced because it was stolen still signs blocks.',
    file: 'apps/server/src/audit/verify/run-check.ts',
    search: 'previous !== undefined && order < previous',
    replace: 'previous === order && order < previous',
    test: {
      file: FILE,
      name: 'signatures and keys > a block that is signed with a key that was replaced before is found',
    },
  },
  {
    name: 'audit-name-of-another-time',
    promise: 'A call event in a block is what was recorded',
    means: 'A person who was renamed has the later name in older events.',
    file: 'apps/server/src/audit/places.ts',
    search: 'if (this.#names[place] === name) return place;',
    replace: 'if (this.#names[place] !== undefined) return place;',
    test: {
      file: 'apps/server/test/audit/calls-codec.test.ts',
      name: 'call events in a block > keep every name that an id had',
    },
  },
  {
    name: 'audit-event-after-the-change',
    promise: 'An event of a change is stored exactly when the change is',
    means: 'A change is rolled back, and the audit says that it happened; or the other way round.',
    file: 'apps/server/src/platform/database/transaction.ts',
    search: 'if (events.length > 0) recorded = await writeEvents(db, run, events);',
    replace: 'if (events.length > 0) recorded = await writeEvents(client, run, events);',
    test: {
      file: 'apps/server/test/platform/events/write-events.store.test.ts',
      name: 'a transaction that is rolled back writes no row',
    },
  },
  {
    name: 'audit-blocks-written-twice',
    promise: 'A call is in exactly one block',
    means: 'After a lost connection the audit shows calls that did not happen.',
    file: 'apps/server/src/audit/writing/audit-writer.ts',
    search: 'if (head?.number === chain.number) this.#chain = chain;',
    replace: 'if (head === undefined) this.#chain = chain;',
    test: {
      file: 'apps/server/test/audit/writing/audit-writer.store.test.ts',
      name: 'after a failure > a write that fails after its commit leaves each event in one block',
    },
  },
  {
    name: 'audit-events-out-of-blocks',
    promise: 'A row of the audit that is deleted, changed or added in the database is found',
    means: 'An administrator adds events that never happened, and an export verifies.',
    file: 'apps/server/src/audit/exporting/loose-lines.ts',
    search: 'e."blockNumber" IS NULL OR NOT EXISTS',
    replace: 'e."blockNumber" IS NULL AND NOT EXISTS',
    test: {
      file: 'apps/server/test/audit/exporting.store.test.ts',
      name: 'a change of the database is found > when an event is added',
    },
  },
  {
    name: 'audit-blocks-dropped-inside',
    promise: 'Calls are kept for 90 days and changes for 365',
    means: 'Retention tears a hole into a chain, and what is left cannot be verified.',
    file: 'apps/server/src/audit/retention.ts',
    search: 'const last = oldest.at(needed === -1 ? oldest.length - 1 : needed - 1);',
    replace: 'const last = oldest.findLast(({ isNeeded }) => !isNeeded);',
    test: {
      file: 'apps/server/test/audit/retention.store.test.ts',
      name: 'deletes blocks from the beginning of a run only',
    },
  },
  {
    name: 'audit-export-overtaken',
    promise: 'An export is verified before and after retention has run, and while it runs',
    means: 'An auditor suspects tampering, because retention ran while the export was read.',
    file: 'apps/server/src/audit/exporting/read-anchors.ts',
    search: 'const isLater = head.number > (anchors.get(head.run)?.number ?? 0);',
    replace: 'const isLater = head.number < (anchors.get(head.run)?.number ?? 0);',
    test: {
      file: 'apps/server/test/audit/retention-and-export.store.test.ts',
      name: 'an export is verified that retention overtakes after its first line of the kind export',
    },
  },
  {
    name: 'audit-event-older-than-its-block',
    promise: 'An export is verified before and after retention has run, and while it runs',
    means: 'An auditor suspects tampering for days, because a node had been down.',
    file: 'apps/server/src/audit/exporting/run-lines.ts',
    search: 'missing.every(({ id }) => id < oldest)',
    replace: 'content.id < oldest',
    test: {
      file: 'apps/server/test/audit/retention-and-export.store.test.ts',
      name: 'an event that is older than its block is not missing when it is dropped first',
    },
  },
];
