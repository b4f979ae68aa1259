import type { JWKSCacheInput } from 'oauth4webapi';

/** The keys that providers publish, by their address. oauth4webapi fills it and uses it for 5 minutes. */
export interface KeyCache {
  at(jwksUri: string): JWKSCacheInput;
}

/** Documents, of 256 KiB at most. */
const MAX_DOCUMENTS = 50;

export function createKeyCache(): KeyCache {
  const documents = new Map<string, JWKSCacheInput>();
  return {
    at(jwksUri) {
      const document: JWKSCacheInput = documents.get(jwksUri) ?? {};
      documents.delete(jwksUri);
      documents.set(jwksUri, document);
      const [oldest] = documents.keys();
      if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
      return document;
    },
  };
}
