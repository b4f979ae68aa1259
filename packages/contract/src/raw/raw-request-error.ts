/** Thrown by `rawRequest` and `parse` of what it gives; `code` tells which went wrong. */
export class RawRequestError extends Error {
  override readonly name = 'RawRequestError';
  /**
   * `invalid_argument`: the base URL or a path parameter cannot be sent. `unexpected_response`: the
   * answer is not one the contract declares, so it may not come from Gatehouse.
   */
  readonly code: 'invalid_argument' | 'unexpected_response';

  constructor(code: RawRequestError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
