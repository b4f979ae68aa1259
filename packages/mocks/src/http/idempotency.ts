import { idempotencyKeyPattern, lifetimes, refusalTexts } from '@gatehouse/contract';
import { canonicalJson } from '../rules/equal.ts';
import type { AnyResult, StoredResult } from '../state/results.ts';
import type { State } from '../state/state.ts';
import { Refusal } from './refusal.ts';

export interface IdempotentCall {
  readonly userId: string;
  /** Method and path, which a key is bound to. */
  readonly operation: string;
  readonly key: string;
  readonly body: unknown;
}

/** @throws Refusal `validation_failed` for an invalid key. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.headers.get('idempotency-key');
  if (header === null) return undefined;
  if (idempotencyKeyPattern.test(header)) return header;
  const message = refusalTexts.keyCharacters;
  throw new Refusal('validation_failed', refusalTexts.wrongKey, {
    errors: [{ parameter: 'Idempotency-Key', code: 'invalid', message }],
  });
}

/**
 * Runs an operation once per key.
 *
 * @throws Refusal `idempotency_key_reused`, `secret_no_longer_available`
 */
export function runOnce(
  { results }: State,
  { userId, operation, key, body }: IdempotentCall,
  act: () => AnyResult,
): AnyResult {
  const name = JSON.stringify([userId, operation, key]);
  const text = canonicalJson(body ?? {});
  const earlier = results.get(name);
  if (earlier && earlier.createdAt > Date.now() - lifetimes.idempotencyKey)
    return replay(earlier, text);
  const result = act();
  results.set(name, { body: text, createdAt: Date.now(), secretOf: result.secretOf, result });
  return result;
}

function replay(earlier: StoredResult, body: string): AnyResult {
  if (earlier.body !== body) {
    throw new Refusal('idempotency_key_reused', refusalTexts.reusedKey);
  }
  if (earlier.result) return earlier.result;
  throw new Refusal('secret_no_longer_available', refusalTexts.secretReplaced);
}

/** Erases the stored one-time secrets of a row after its secret was replaced or revoked. */
export function eraseStoredSecrets({ results }: State, secretOf: string): void {
  for (const [name, stored] of results) {
    if (stored.secretOf === secretOf) results.set(name, { ...stored, result: undefined });
  }
}
