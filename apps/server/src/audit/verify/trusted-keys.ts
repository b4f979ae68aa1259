import type { KeyObject } from 'node:crypto';
import { type AuditKey, isSignatureOf, isSuccessor, keyIdOf, readPublicKey } from '../keys.ts';
import type { Findings } from './report.ts';

interface TrustedKey {
  readonly publicKey: KeyObject;
  /** 0 for the oldest key of the export. */
  readonly order: number;
}

/** The keys of an export that are reached from the trusted one: each signs its successor. */
export class TrustedKeys {
  readonly #keys = new Map<string, TrustedKey>();
  /** Ids of keys before the trusted one, which it does not vouch for. */
  readonly #earlier: ReadonlySet<string>;

  /** @param trusted base64 SPKI; without it the export's first key is taken */
  constructor(keys: readonly AuditKey[], trusted: string | undefined, findings: Findings) {
    const start = trusted === undefined ? 0 : keys.findIndex((key) => key.publicKey === trusted);
    if (start === -1) findings.add('key', 'The key that was given is not a key of the export.');
    this.#earlier = new Set(keys.slice(0, Math.max(start, 0)).map(({ id }) => id));
    keys.forEach((key, order) => {
      const predecessor = keys[order - 1];
      if (key.id !== keyIdOf(key.publicKey) || !follows(key, predecessor)) {
        findings.add('key', `The key ${key.id} is not signed by the key before it.`);
      } else if (order === start || this.#has(predecessor)) {
        this.#keys.set(key.id, { publicKey: readPublicKey(key.publicKey), order });
      }
    });
  }

  #has(key: AuditKey | undefined): boolean {
    return key !== undefined && this.#keys.has(key.id);
  }

  /** Undefined for a key that is not reached. */
  orderOf(keyId: string): number | undefined {
    return this.#keys.get(keyId)?.order;
  }

  /** Why a key is not reached. */
  whyNot(keyId: string): string {
    return this.#earlier.has(keyId)
      ? 'a key from before the one that was given. Ask for the first key'
      : 'a key that is not trusted';
  }

  hasSigned(hash: string, { keyId, signature }: { keyId: string; signature: string }): boolean {
    const key = this.#keys.get(keyId);
    return key !== undefined && isSignatureOf(hash, signature, key.publicKey);
  }
}

function follows(key: AuditKey, predecessor: AuditKey | undefined): boolean {
  return predecessor === undefined ? key.signedBy === null : isSuccessor(key, predecessor);
}
