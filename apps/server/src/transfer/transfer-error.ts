export type TransferCode =
  | 'file_exists'
  | 'file_unusable'
  | 'not_ours'
  | 'wrong_passphrase'
  | 'weak_passphrase'
  | 'damaged'
  | 'newer'
  | 'older'
  | 'not_migrated'
  | 'not_empty'
  | 'keys_differ'
  | 'keys_nowhere';

/** A transfer failed and has left nothing behind. The message is one or two sentences for the operator. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code: TransferCode;

  constructor(code: TransferCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
