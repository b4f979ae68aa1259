import type { OauthToken } from '../../generated/prisma/client.ts';
import { tokenResponseSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';

/** A token request, in the parameters that decide its response, and that response. */
export interface TokenResponse {
  readonly request: string;
  readonly body: unknown;
}

/** The columns of a used refresh token that hold its response. */
export type SealedResponse = Pick<OauthToken, 'id' | 'clientId' | 'sealed' | 'keyId'>;

export function sealResponse(
  vault: Vault,
  row: Pick<OauthToken, 'id' | 'clientId'>,
  response: TokenResponse,
): { sealed: Buffer<ArrayBuffer>; keyId: string } {
  return vault.seal(JSON.stringify(response), tokenResponseSealContext(row));
}

/** Undefined when it is not stored. @throws VaultError */
export function openResponse(vault: Vault, row: SealedResponse): TokenResponse | undefined {
  const { sealed, keyId } = row;
  if (sealed === null || keyId === null) return undefined;
  return JSON.parse(vault.open({ sealed, keyId }, tokenResponseSealContext(row))) as TokenResponse;
}
