import { hash } from 'node:crypto';
import { z } from 'zod';

/** SHA-256 in hex, as every hash of the audit is written. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** What of the audit is hashed. Each has its domain, so that no signature of one is a signature of another. */
type Domain = 'anchor' | 'block' | 'content' | 'end' | 'key' | 'owner' | 'retention';

/** The hash of values in an order that their domain fixes: of one JSON array, which can be read in one way only. */
export function hashOf(domain: Domain, values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify([`gatehouse audit ${domain} 1`, ...values]));
}

/** The hash of a text in UTF-8: of a block's body, or of a management event as it is stored. */
export function hashOfText(text: string): string {
  return hash('sha256', text);
}
