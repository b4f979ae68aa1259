/**
 * A path of the data directory leads to another file than the one that this process has locked, or
 * nowhere: another process could lock what is there now. The database is not used any more.
 */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
  readonly reason = 'lock_lost';

  /** @param file below the data directory */
  constructor(file: string) {
    super(
      `The embedded database can no longer be written (lock_lost): ${file} in GATEHOUSE_DATA_DIR, by which the directory is locked, was removed or replaced. ` +
        'Leave the directory alone while Gatehouse runs, and start again.',
    );
  }
}
