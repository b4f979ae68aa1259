// Guards: a call is used like a promise of the platform, and so are its handlers.
import type { ApiPromise, ListPromise, Me, Token } from '@gatehouse/sdk';

declare const call: ApiPromise<Me>;
declare const list: ListPromise<Token>;

export const messages: Promise<Me | string> = call.catch((error: Error) => error.message);
export const lengths: Promise<number> = call.then(
  ({ user }) => user.name.length,
  (error: Error) => error.message.length,
);
export const listed = list.catch((error: { readonly code: string }) => error.code);
export const unknown = call.catch((error: unknown) => String(error));

// What it resolves with stays exact.
// @ts-expect-error no such field
call.then(({ nobody }) => nobody);
