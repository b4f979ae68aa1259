import { expect } from 'vitest';

/** The error a call rejects with; fails the test when it does not. */
export async function rejection(call: PromiseLike<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('rejected with something other than an Error', { cause: error });
  }
  return expect.unreachable('the call should have been rejected');
}

/** The error a function throws; fails the test when it does not. */
export function thrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('threw something other than an Error', { cause: error });
  }
  return expect.unreachable('the function should have thrown');
}
