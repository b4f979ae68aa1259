/** Shorter ones occur by chance. */
export const SHORTEST_SECRET = 16;

/** How a secret may be written down: as it is, in a URL, in base64, in hexadecimal digits. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')];
}
