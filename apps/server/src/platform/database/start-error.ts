export type DatabaseStartCode =
  | 'directory_in_use'
  | 'directory_unusable'
  | 'unsupported_version'
  | 'unreachable'
  | 'not_permitted'
  | 'locked'
  | 'migration_failed';

/**
 * The database cannot be opened, with a sentence for the operator. The message names no password:
 * connection strings never stand in it.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
  readonly code: DatabaseStartCode;

  constructor(code: DatabaseStartCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
