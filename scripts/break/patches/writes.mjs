export const patches = [
  {
    name: 'platform-lock-by-name',
    promise: 'Without its lock file, or moved, a data directory has one process all the same',
    means: 'Who removes the lock file lets a second process destroy the database.',
    file: 'apps/server/src/platform/database/directory-lock.ts',
    search: '    if (existsSync(lock.controlFile)) lock.lockDatabase();\n',
    replace: '    void existsSync;\n',
    test: {
      file: 'apps/server/test/platform/database/directory-lock.test.ts',
      name: 'removing or replacing the lock file lets no other process in, even while the first is suspended',
    },
  },
  {
    name: 'platform-lock-unchecked',
    promise: 'Without its lock file, or moved, a data directory has one process all the same',
    means: 'A process goes on writing to a directory that it has not locked.',
    file: 'apps/server/src/platform/database/disk-guard.ts',
    search: '      this.#checkLock();\n      this.check();\n      const written',
    replace: '      const written',
    test: {
      file: 'apps/server/test/platform/database/open-database.store.test.ts',
      name: 'an embedded database > writes nothing once its lock file was removed, and opens again with all that it had',
    },
  },
  {
    name: 'http-lost-idempotency-key',
    promise: 'A repeated `Idempotency-Key` has one effect and gets the same response',
    means: 'A repeated create makes a second integration.',
    file: 'apps/server/src/http/stored-responses.ts',
    search: '      await insert(tx.db, request, response);\n',
    replace: '',
    test: {
      file: 'apps/server/test/resources/integrations/integrations.store.test.ts',
      name: 'POST /integrations > makes one integration for one Idempotency-Key',
    },
  },
  {
    name: 'http-key-of-another-body',
    promise: 'A repeated `Idempotency-Key` has one effect and gets the same response',
    means: 'A request gets the response to a different request.',
    file: 'apps/server/src/http/stored-responses.ts',
    search: 'if (!mac.verify(keyId, bodyText(request), tag)) {',
    replace: 'if (!keyId) {',
    test: {
      file: 'apps/server/test/resources/applications/oauth.store.test.ts',
      name: 'an Idempotency-Key > is refused for another body',
    },
  },
  {
    name: 'http-no-if-match',
    promise:
      'Concurrent changes of one application or integration have the result of some serial order',
    means: 'The later of two concurrent changes silently wins.',
    file: 'apps/server/src/identity/mutation.ts',
    search: 'if (precondition.versions.includes(version)) return;',
    replace: 'if (precondition.versions) return;',
    test: {
      file: 'apps/server/test/resources/integrations/update.store.test.ts',
      name: 'PATCH /integrations/:id > lets If-Match win only for the present version',
    },
  },
  {
    name: 'resources-set-without-if-match',
    promise:
      'Concurrent changes of one application or integration have the result of some serial order',
    means: 'Replacing the attached integrations undoes what another administrator did.',
    file: 'apps/server/src/resources/applications/attachment-service.ts',
    search: `  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const before`,
    replace: `  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const before`,
    test: {
      file: 'apps/server/test/resources/applications/attachments.store.test.ts',
      name: 'PUT /applications/:id/integrations > refuses a version that is not the present one',
    },
  },
  {
    name: 'commits-without-changes-heard',
    promise: 'A commit that changes nothing that memory depends on',
    means: 'Whatever the embedded database writes behind has each stream authorized again.',
    file: 'apps/server/src/platform/changes/local-changes.ts',
    search: 'if (changes.length > 0) this.#listeners.emit(changes);',
    replace: 'this.#listeners.emit(changes);',
    test: {
      file: 'apps/server/test/platform/changes/no-changes.store.test.ts',
      name: 'a commit without changes calls no listener',
    },
  },
];
