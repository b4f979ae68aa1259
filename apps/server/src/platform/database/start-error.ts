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
