import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring, Purpose } from './keyring.ts';

/** An authentication tag and the key that it was computed with. */
export interface MacTag {
  readonly keyId: string;
  readonly tag: Buffer;
}

/** Authenticates data that the service issues or stores: cursors, request bodies, forms. */
export interface Mac {
  sign(data: string): MacTag;
  /** Compares in constant time. Also false when the key is not loaded. */
  verify(keyId: string, data: string, tag: Uint8Array): boolean;
}

/** HMAC-SHA256 with the subkey for `purpose`. */
export function createMac(keyring: Keyring, purpose: Exclude<Purpose, 'seal'>): Mac {
  const tagOf = (key: Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  return {
    sign(data) {
      const keyId = keyring.activeId;
      const key = keyring.subkey(keyId, purpose);
      if (key === undefined) throw new TypeError('The active encryption key is not loaded.');
      return { keyId, tag: tagOf(key, data) };
    },
    verify(keyId, data, tag) {
      const key = keyring.subkey(keyId, purpose);
      if (key === undefined) return false;
      const expected = tagOf(key, data);
      return tag.length === expected.length && timingSafeEqual(tag, expected);
    },
  };
}
