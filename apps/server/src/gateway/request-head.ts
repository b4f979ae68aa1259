import type { CredentialHeaders } from '../credentials/outcome.ts';

/**
 * The headers of the upstream request, as name, value, name, value …: what passes of the client's,
 * then the credential's, which win over the client's of the same name.
 *
 * @param token the caller's: a header that repeats it stays behind, whatever its name.
 */
export function upstreamHeaders(
  forwarded: readonly string[],
  token: string,
  credential: CredentialHeaders,
): string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    const name = forwarded[i] as string;
    const value = forwarded[i + 1] as string;
    if (value.length >= token.length && value.includes(token)) continue;
    if (!isReplaced(name, credential)) headers.push(name, value);
  }
  for (const [name, value] of credential) headers.push(name, value);
  return headers;
}

function isReplaced(name: string, credential: CredentialHeaders): boolean {
  for (const [replacing] of credential) {
    if (replacing.length === name.length && replacing === name.toLowerCase()) return true;
  }
  return false;
}
