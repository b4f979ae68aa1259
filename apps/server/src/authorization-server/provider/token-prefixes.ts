import { secretPrefixes } from '@gatehouse/contract';
import type { Provider } from 'oidc-provider';

/** Puts a prefix before the 256 random bits of a token, by which secret scanners know each kind. */
export function prefixTokens(provider: Provider): void {
  const prefixes = [
    [provider.AccessToken, secretPrefixes.accessToken],
    [provider.ClientCredentials, secretPrefixes.accessToken],
    [provider.RefreshToken, secretPrefixes.refreshToken],
    [provider.AuthorizationCode, secretPrefixes.authorizationCode],
  ] as const;
  for (const [{ prototype }, prefix] of prefixes) {
    const { generateTokenId } = prototype as unknown as { generateTokenId(): string };
    Object.assign(prototype, {
      generateTokenId(this: unknown) {
        return prefix + generateTokenId.call(this);
      },
    });
  }
}
