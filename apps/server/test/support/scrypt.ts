import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/** Records what each derivation of a key by scrypt costs, until the test has finished. */
export function observeScrypt(): unknown[] {
  const costs: unknown[] = [];
  const { scrypt } = crypto;
  const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(((...args: unknown[]) => {
    costs.push(args[3]);
    return Reflect.apply(scrypt, crypto, args);
  }) as typeof scrypt);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return costs;
}
