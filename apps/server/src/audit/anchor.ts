import type { KeyObject } from 'node:crypto';
import type { z } from 'zod';
import { type RunHead, runHeadSchema } from './block.ts';
import { hashOf } from './hash.ts';
import { keyIdSchema } from './keys.ts';
import { signatureSchema, signHash } from './signature.ts';

/** The last block of a run that retention has dropped: the run goes on after it. */
export const anchorSchema = runHeadSchema.extend({
  keyId: keyIdSchema,
  signature: signatureSchema,
});
export type Anchor = z.infer<typeof anchorSchema>;

export function anchorHashOf({ run, number, hash, keyId }: Omit<Anchor, 'signature'>): string {
  return hashOf('anchor', [run, number, hash, keyId]);
}

export function makeAnchor(dropped: RunHead, keyId: string, privateKey: KeyObject): Anchor {
  const unsigned = { ...dropped, keyId };
  return { ...unsigned, signature: signHash(anchorHashOf(unsigned), privateKey) };
}
