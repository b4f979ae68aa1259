/**
 * A user's credential as it was entered: a single token, or the fields of the credential schema.
 * How it is sent is decided when it is sent, by the schema of that moment.
 */
export type StoredCredential =
  | { readonly token: string }
  | { readonly fields: Readonly<Record<string, string | number | boolean>> };

/** The text to seal into a connection. */
export function serializeCredential(credential: StoredCredential): string {
  return JSON.stringify(credential);
}

/** Reads back what `serializeCredential` wrote; the vault has vouched for it. */
export function parseCredential(text: string): StoredCredential {
  return JSON.parse(text) as StoredCredential;
}
