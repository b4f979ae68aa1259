export const patches = [
  {
    name: 'platform-short-write',
    promise: 'A disk that fails below the embedded database (`EIO`',
    means: 'What did not fit on the disk is taken for written, and the process hangs.',
    file: 'apps/server/src/platform/database/disk-guard.ts',
    search: "if (written < args[3]) throw this.#fail(new DiskError('ENOSPC'));",
    replace: 'if (written < args[3]) return args[3];',
    test: {
      file: 'apps/server/test/platform/database/disk-errors.slow.test.ts',
      name: "a disk that fails > ends the write in 503 and loses nothing that was acknowledged: 'a short write' in 'a write of a data file'",
    },
  },
  {
    name: 'platform-acknowledges-failed-commit',
    promise: 'A commit that fails on the embedded database is not acknowledged',
    means: 'A write is answered as done although its commit failed on the embedded database.',
    file: 'apps/server/src/platform/database/pglite-adapter.ts',
    search: '      if (failure !== undefined) throw failure;\n',
    replace: '',
    test: {
      file: 'apps/server/test/platform/database/disk.slow.test.ts',
      name: 'a commit that fails > is not acknowledged',
    },
  },
];
