/**
 * A credential as the user entered it: a single token, or the fields of the credential schema. The
 * schema at the time of sending determines the headers.
 */
export type StoredCredential =
  | { readonly token: string }
  | { readonly fields: Readonly<Record<string, string | number | boolean>> };

/** The text to seal into a connection. */
export function serializeCredential(credential: StoredCredential): string {
  return JSON.stringify(credential);
}

/** Parses what `serializeCredential` wrote. Not validated, because the vault has authenticated it. */
export function parseCredential(text: string): StoredCredential {
  return JSON.parse(text) as StoredCredential;
}
