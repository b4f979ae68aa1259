import type { Route } from '@gatehouse/contract/routes';

/** The parts of a route that concern a client. `idempotency` may be left out: it is `key` for writes. */
export type ClientRoute = Pick<Route, 'method' | 'path'> & Partial<Pick<Route, 'idempotency'>>;

/** The idempotency key of a call: the given one or a new one. `undefined` for routes without replay. */
export function idempotencyKeyOf(
  route: ClientRoute,
  given: string | undefined,
): string | undefined {
  const { method, idempotency } = route;
  return takesKey(method) && idempotency !== 'none' ? (given ?? randomUuid()) : undefined;
}

/** Whether requests with this method write, and so have an idempotency key unless their route has no replay. */
export function takesKey(method: string): boolean {
  return method !== 'GET';
}

/**
 * A UUID of version 4 (RFC 9562); `x` is any digit and `y` one from 8 to b. Pages served over plain
 * http have no `crypto.randomUUID`.
 */
function randomUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(36));
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (digit, index: number) => {
    const bits = (random[index] ?? 0) & 15;
    return (digit === 'x' ? bits : (bits & 3) | 8).toString(16);
  });
}
