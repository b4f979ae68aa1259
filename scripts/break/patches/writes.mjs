export const patches = [
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
];
