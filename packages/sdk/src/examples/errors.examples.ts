// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import {
  AbortError,
  AccessTokenError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type Gatehouse,
  GatehouseError,
  InvalidArgumentError,
  InvalidResponseError,
  isApiError,
  isGatehouseError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  RepeatedCursorError,
  ServerError,
  TimeoutError,
  UnprocessableContentError,
} from '@gatehouse/sdk';

export async function guards(gatehouse: Gatehouse, id: string): Promise<void> {
  //#region GatehouseError
  try {
    await gatehouse.integrations.get(id);
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    if (error.code === 'not_found') console.log('not found');
  }
  //#endregion
}

export function classes(error: unknown): void {
  //#region GatehouseError.toJSON
  if (isGatehouseError(error)) console.error(JSON.stringify({ error }));
  //#endregion
  //#region isGatehouseError
  if (isGatehouseError(error)) console.error(error.code, error.message);
  //#endregion
  //#region isApiError
  if (isApiError(error)) console.error(error.status, error.code, error.requestId);
  //#endregion
  //#region ApiError
  if (error instanceof ApiError) console.error(error.status, error.problem?.detail);
  //#endregion
  //#region BadRequestError
  if (error instanceof BadRequestError) console.error(error.problem?.errors);
  //#endregion
  //#region AuthenticationError
  if (error instanceof AuthenticationError) console.error('Set a new access token.');
  //#endregion
  //#region PermissionDeniedError
  if (error instanceof PermissionDeniedError) console.error('Ask an admin.');
  //#endregion
  //#region NotFoundError
  if (error instanceof NotFoundError) console.error('Not found, or not yours.');
  //#endregion
  //#region ConflictError
  if (error instanceof ConflictError && error.code === 'archived') console.error('Restore it.');
  //#endregion
  //#region PreconditionFailedError
  if (error instanceof PreconditionFailedError) console.error('It is now', error.etag);
  //#endregion
  //#region PayloadTooLargeError
  if (error instanceof PayloadTooLargeError) console.error('Send less than 1 MiB.');
  //#endregion
  //#region UnprocessableContentError
  if (error instanceof UnprocessableContentError) console.error('Use a new idempotency key.');
  //#endregion
  //#region RateLimitError
  if (error instanceof RateLimitError) console.error('Try again in', error.retryAfter, 'ms');
  //#endregion
  //#region ServerError
  if (error instanceof ServerError) console.error('Report', error.requestId);
  //#endregion
  //#region InvalidArgumentError
  if (error instanceof InvalidArgumentError) console.error('Nothing was sent:', error.message);
  //#endregion
  //#region InvalidResponseError
  if (error instanceof InvalidResponseError) console.error(error.status, error.message);
  //#endregion
  //#region RepeatedCursorError
  if (error instanceof RepeatedCursorError) console.error('Report', error.message);
  //#endregion
  //#region AccessTokenError
  if (error instanceof AccessTokenError) console.error('No access token:', error.cause);
  //#endregion
  //#region ConnectionError
  if (error instanceof ConnectionError) console.error(error.message, error.cause);
  //#endregion
  //#region TimeoutError
  if (error instanceof TimeoutError) console.error('Took longer than', error.timeout, 'ms');
  //#endregion
  //#region AbortError
  if (error instanceof AbortError) console.error('Aborted because of', error.cause);
  //#endregion
}
