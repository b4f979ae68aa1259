/** Thrown by `rawRequest` and by the `parse` function that it returns. */
export class RawRequestError extends Error {
  override readonly name = 'RawRequestError';
  /**
   * `invalid_argument`: the base URL or a path parameter cannot be sent. `unexpected_response`: the
   * contract does not declare this response, so it may not come from Gatehouse.
   */
  readonly code: 'invalid_argument' | 'unexpected_response';

  constructor(code: RawRequestError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
