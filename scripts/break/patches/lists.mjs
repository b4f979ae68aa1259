export const patches = [
  {
    name: 'http-cursor-spellings',
    promise: 'A cursor that was altered',
    means: 'A cursor that was altered is taken.',
    file: 'apps/server/src/http/cursor.ts',
    search: '!isOurs || textOf(keyId, lastId, tag) !== cursor',
    replace: '!isOurs',
    test: {
      file: 'apps/server/test/http/cursor.test.ts',
      name: 'a cursor > with a blank in its JSON is refused',
    },
  },
  {
    name: 'http-cursor-of-another-list',
    promise: 'A cursor that was altered',
    means: 'A cursor of one list is accepted by another and leads to arbitrary rows.',
    file: 'apps/server/src/http/cursor.ts',
    search: `    list,
    actor.organizationId,`,
    replace: '    actor.organizationId,',
    test: {
      file: 'apps/server/test/contract/contract.test.ts',
      name: 'fetch → server > Pagination > a cursor is of no use with other filters, in another list or organization',
    },
  },
];
