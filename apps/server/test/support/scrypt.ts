import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';

const { scrypt } = crypto;
/** The cost of a password in tests: 128 MiB and half a second each would be most of the time of sign-in's tests. */
const LOW_COST = 2 ** 4;
let isCostReal = false;

/** Derives keys at a low cost from now on, whatever cost is asked for, unless {@link useRealScrypt} was called. */
export function lowerCostOfScrypt(): void {
  const cheap = (...[password, salt, length, options, done]: Parameters<typeof scrypt>) =>
    scrypt(password, salt, length, isCostReal ? options : { ...options, N: LOW_COST }, done);
  Object.assign(crypto, { scrypt: cheap });
  syncBuiltinESMExports();
}

/** The tests of this file, or of this block, derive keys at the cost that the service asks for. */
export function useRealScrypt(): void {
  beforeAll(() => {
    isCostReal = true;
  });
  afterAll(() => {
    isCostReal = false;
  });
}

/**
 * Records what each derivation of a key by scrypt is asked to cost, until the test has finished.
 *
 * @param wait what each waits for before it begins
 */
export function observeScrypt(wait?: () => Promise<unknown>): unknown[] {
  const costs: unknown[] = [];
  const { scrypt } = crypto;
  const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(((
    ...args: Parameters<typeof scrypt>
  ) => {
    costs.push(args[3]);
    if (wait === undefined) scrypt(...args);
    else void wait().then(() => scrypt(...args));
  }) as typeof scrypt);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return costs;
}
