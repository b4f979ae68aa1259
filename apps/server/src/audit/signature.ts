import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

/** Base64 of exactly this many bytes, in the one way to write them. */
export function base64Of(bytes: number) {
  return z.string().refine((text) => {
    const read = Buffer.from(text, 'base64');
    return read.length === bytes && read.toString('base64') === text;
  }, `Not base64 of ${bytes} bytes.`);
}

/** Ed25519 (RFC 8032), in base64. */
export const signatureSchema = base64Of(64);

/** Signs a hash, which names its domain (`hashOf`). */
export function signHash(hash: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64');
}

export function isSignatureOf(hash: string, signature: string, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(hash, 'hex'), publicKey, Buffer.from(signature, 'base64'));
}
