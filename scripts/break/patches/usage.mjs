export const patches = [
  {
    name: 'usage-counted-twice',
    promise: 'Every call that ends is counted once',
    means: 'When the connection to the database is lost, calls are counted twice.',
    file: 'apps/server/src/usage/usage-counters.ts',
    search: 'if (!mayBeCommitted(error)) throw error;',
    replace: 'if (mayBeCommitted(error)) throw error;',
    test: {
      file: 'apps/server/test/usage/usage-counters.store.test.ts',
      name: 'a write that fails > is not repeated if it may have been committed',
    },
  },
  {
    name: 'usage-hours-twice-in-days',
    promise: 'Days are the sums of their hours',
    means: 'A day counts the hours that are in it a second time.',
    file: 'apps/server/src/usage/read-usage.ts',
    search: 'WHERE NOT "isInDay" AND ${rows}',
    replace: 'WHERE ${rows}',
    test: {
      file: 'apps/server/test/usage/retention.store.test.ts',
      name: 'days are the sums of their hours, before and after housekeeping has made them',
    },
  },
  {
    name: 'usage-hours-outlive-days',
    promise: 'Days are the sums of their hours',
    means: 'Usage is kept for 10 days, and shows who used what 35 days ago.',
    file: 'apps/server/src/usage/retention.ts',
    search: 'Math.min(usageKeptHours.hour, most)',
    replace: 'usageKeptHours.hour',
    test: {
      file: 'apps/server/test/usage/retention.store.test.ts',
      name: 'neither minutes nor hours of usage stay for longer than usage is kept',
    },
  },
  {
    name: 'usage-of-everyone',
    promise: "Only a known caller's calls",
    means: 'A member reads how often everyone calls.',
    file: 'apps/server/src/resources/usage/service.ts',
    search: 'userId: seesAll ? undefined : actor.userId,',
    replace: 'userId: undefined,',
    test: {
      file: 'apps/server/test/contract/contract.test.ts',
      name: 'fetch → server > Usage > shows everything to admins, an application to its owner, and everyone themselves',
    },
  },
];
