import type { ProviderRequest } from '../http/provider-request.ts';
import type { JsonObject } from '../http/reply.ts';

/** Faults that act before the request is handled, or instead of it. */
export type FaultBefore =
  /** Waits this long, then handles the request; with `handleFirst`, handles it and then waits. */
  | { readonly kind: 'slow'; readonly milliseconds: number; readonly handleFirst?: boolean }
  /** The same, until {@link ActiveFault.release}. */
  | { readonly kind: 'hold'; readonly handleFirst?: boolean }
  /** An error status with an empty JSON object. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Sent as `Retry-After`. */
      readonly retryAfterSeconds?: number;
    }
  /** A page of a proxy, such as 502 from a load balancer. Default status 502. */
  | { readonly kind: 'html'; readonly status?: number }
  /** An OAuth error, such as `invalid_grant`, worded as the provider's shape words it. */
  | { readonly kind: 'oauth-error'; readonly error: string; readonly status?: number }
  /** The connection is closed before the request is handled. */
  | { readonly kind: 'cut' };

/** Faults of the response of a request that has been handled. */
export type FaultAfter =
  /** The connection is closed instead: what was issued is lost, and what was replaced stays replaced. */
  | { readonly kind: 'lost-answer' }
  /** The JSON ends in the middle. */
  | { readonly kind: 'malformed' }
  /** The metadata names another issuer. Default `https://wrong-issuer.example`. */
  | { readonly kind: 'wrong-issuer'; readonly issuer?: string }
  /** All endpoints in the metadata have this host. Default `10.0.0.1`. */
  | { readonly kind: 'private-addresses'; readonly host?: string }
  /** The redirect back has this `iss`, or lacks it if `null`, whatever the metadata promises. */
  | { readonly kind: 'iss'; readonly iss: string | null }
  /** Changes a JSON response in any other way. */
  | { readonly kind: 'edit'; readonly edit: (body: JsonObject) => JsonObject };

/** What goes wrong at an endpoint. */
export type ProviderFault = FaultBefore | FaultAfter;

/** Which requests a fault applies to. */
export interface FaultOptions {
  /** How often. Default: until it is cleared. */
  readonly times?: number;
  /** Only to these, such as those with `form.get('grant_type') === 'refresh_token'`. */
  readonly when?: (request: ProviderRequest) => boolean;
}

/** A fault that was set. */
export interface ActiveFault {
  /** How many requests it has applied to. */
  readonly hits: number;
  /** Resolves when it has applied to this many requests in all; default 1. */
  reached(hits?: number): Promise<void>;
  /** Lets all requests go on that wait because of `hold`, and holds no others. */
  release(): void;
  /** Ends the fault. Requests that wait go on. */
  clear(): void;
}
