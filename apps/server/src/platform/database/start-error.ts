import { OperatorError } from '../operator-error.ts';

export type DatabaseStartCode =
  | 'directory_in_use'
  | 'directory_unusable'
  | 'disk_failed'
  | 'lock_lost'
  | 'unsupported_version'
  | 'unreachable'
  | 'not_permitted'
  | 'no_notifications'
  | 'locked'
  | 'migration_failed'
  | 'migrations_outstanding';

/**
 * The database cannot be opened or migrated. The message tells the operator what to do. It never
 * contains a connection string, and so no password.
 */
export class DatabaseStartError extends OperatorError {
  override readonly name = 'DatabaseStartError';
  readonly code: DatabaseStartCode;

  constructor(code: DatabaseStartCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

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
