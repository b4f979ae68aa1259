import type { IncomingHttpHeaders } from 'node:http';

/** The endpoints. `consent` is where the page of `authorize` is submitted to. */
export type ProviderEndpoint =
  | 'metadata'
  | 'authorize'
  | 'consent'
  | 'token'
  | 'registration'
  | 'revocation'
  | 'userinfo'
  | 'jwks';

/** One request that the provider received. */
export interface ProviderRequest {
  readonly endpoint: ProviderEndpoint;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly body: string;
  /** The fields of the body if that is a form; otherwise empty. */
  readonly form: URLSearchParams;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
  /** Of the response, also if a fault has kept it from the client; undefined while there is no response. */
  readonly status: number | undefined;
}
