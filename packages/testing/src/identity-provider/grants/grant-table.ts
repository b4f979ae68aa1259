import { randomBytes, randomUUID } from 'node:crypto';
import type { GrantEnd, MutableGrant, ProviderGrant, StoredToken } from './grant.ts';

/** What a grant begins with. */
export type NewGrant = Pick<ProviderGrant, 'clientId' | 'sub' | 'scopes' | 'resources'>;

/** What a token begins with. */
export interface NewToken {
  readonly kind: StoredToken['kind'];
  /** Default: those of the grant. */
  readonly scopes?: readonly string[];
  readonly resources?: readonly string[];
  readonly sub?: string;
  /** `null` means that it does not expire. */
  readonly seconds: number | null;
}

/** All grants and their tokens. */
export interface GrantTable {
  readonly all: readonly ProviderGrant[];
  /** Every code and token that was ever issued, oldest first. */
  readonly issued: readonly string[];
  open(grant: NewGrant): MutableGrant;
  issue(grant: MutableGrant, token: NewToken): string;
  find(value: string): StoredToken | undefined;
  /** Whether the token can be used: live, not expired, and its grant too. */
  isUsable(token: StoredToken): boolean;
  /** A grant ends once; further calls change nothing. */
  end(grant: MutableGrant, reason: GrantEnd): void;
  /** Ends the grant with this id, or all. */
  endById(id: string | undefined): void;
  expireAccessTokens(): void;
}

const PREFIXES = { code: 'code', access: 'at', refresh: 'rt' } as const;

/** Creates an empty table. */
export function createGrantTable(): GrantTable {
  const grants: MutableGrant[] = [];
  const tokens = new Map<string, StoredToken>();

  const end = (grant: MutableGrant, reason: GrantEnd): void => {
    grant.endedBecause ??= reason;
  };

  return {
    all: grants,
    get issued() {
      return [...tokens.keys()];
    },
    open(input) {
      const history = { refreshes: 0, reusesDetected: 0, revocations: 0, endedBecause: undefined };
      const grant: MutableGrant = { id: randomUUID(), ...input, ...history };
      grants.push(grant);
      return grant;
    },
    issue(grant, { kind, seconds, sub = grant.sub, scopes, resources }) {
      const value = `idp_${PREFIXES[kind]}_${randomBytes(32).toString('base64url')}`;
      tokens.set(value, {
        kind,
        grant,
        sub,
        scopes: scopes ?? grant.scopes,
        resources: resources ?? grant.resources,
        expiresAt: seconds === null ? null : Date.now() + seconds * 1000,
        state: 'live',
      });
      return value;
    },
    find: (value) => tokens.get(value),
    isUsable: ({ state, grant, expiresAt }) =>
      state === 'live' &&
      grant.endedBecause === undefined &&
      (expiresAt === null || expiresAt > Date.now()),
    end,
    endById(id) {
      for (const grant of grants) {
        if (id === undefined || grant.id === id) end(grant, 'ended_by_test');
      }
    },
    expireAccessTokens() {
      const now = Date.now();
      for (const token of tokens.values()) if (token.kind === 'access') token.expiresAt = now;
    },
  };
}
