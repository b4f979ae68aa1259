import { randomUUID } from 'node:crypto';
import type { ProviderClient } from '../clients/client.ts';

/** An authorization request that has been checked. */
export interface AuthorizationRequest {
  readonly client: ProviderClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly nonce: string | undefined;
  readonly loginHint: string | undefined;
  /** `access_type=offline`, as Google has it. */
  readonly isOffline: boolean;
  /** `prompt` contains `consent`. */
  readonly forcesConsent: boolean;
}

/** Requests that wait for a person, and those with a code that is not redeemed yet. */
export interface PendingAuthorizations {
  /** Keeps the request until {@link PendingAuthorizations.take} and returns its id. */
  add(request: AuthorizationRequest): string;
  take(id: string): AuthorizationRequest | undefined;
  /** Remembers what a code was issued for. */
  setCode(code: string, request: AuthorizationRequest): void;
  ofCode(code: string): AuthorizationRequest | undefined;
}

/** Creates an empty table. */
export function createPendingAuthorizations(): PendingAuthorizations {
  const waiting = new Map<string, AuthorizationRequest>();
  const byCode = new Map<string, AuthorizationRequest>();
  return {
    add(request) {
      const id = randomUUID();
      waiting.set(id, request);
      return id;
    },
    take(id) {
      const request = waiting.get(id);
      waiting.delete(id);
      return request;
    },
    setCode: (code, request) => void byCode.set(code, request),
    ofCode: (code) => byCode.get(code),
  };
}
