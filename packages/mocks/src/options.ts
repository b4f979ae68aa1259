/** Options of a mock Gatehouse. */
export interface MockGatehouseOptions {
  /**
   * The base URL that the clients under test use. `/api/v1` is appended when missing.
   *
   * @defaultValue 'http://127.0.0.1:3000/api/v1', the default of a local Gatehouse
   */
  readonly baseUrl?: string | undefined;
  /**
   * CIDR blocks that the URL of a proxied integration may use in addition to public addresses, as in
   * `GATEHOUSE_ALLOWED_NETWORKS`.
   *
   * @defaultValue `[]`
   */
  readonly allowedNetworks?: readonly string[] | undefined;
  /**
   * Origins that the `returnTo` of an authorization may have in addition to the origin of the base URL,
   * as in `GATEHOUSE_ALLOWED_ORIGINS`.
   *
   * @defaultValue `[]`
   */
  readonly allowedOrigins?: readonly string[] | undefined;
}

const BASE = '/api/v1';

/** The origin, and a path in front of `/api/v1` if there is one. */
export function publicUrlOf({ baseUrl = 'http://127.0.0.1:3000' }: MockGatehouseOptions): string {
  const { origin, pathname } = new URL(baseUrl);
  return apiUrlOf(origin + pathname).slice(0, -BASE.length);
}

/** The same, ending in `/api/v1`. */
export function apiUrlOf(baseUrl: string): string {
  const url = baseUrl.replace(/\/+$/, '');
  return url.endsWith(BASE) ? url : url + BASE;
}
