import type { IncomingHttpHeaders } from 'node:http';

/** Which requests the upstream accepts: those that meet all given conditions. Default: all. */
export interface UpstreamAuthorization {
  /** The only accepted bearer token. */
  readonly requireBearer?: string;
  /** A header that must have exactly this value, as with an API key. */
  readonly requireHeader?: { readonly name: string; readonly value: string };
  /** Called for each request, so that its result may change during a test. */
  readonly authorize?: (headers: IncomingHttpHeaders) => boolean;
}

/** Combines the options into one predicate. */
export function createAuthorizer(
  options: UpstreamAuthorization,
): (headers: IncomingHttpHeaders) => boolean {
  const { requireBearer, requireHeader, authorize } = options;
  return (headers) => {
    if (requireBearer !== undefined && headers.authorization !== `Bearer ${requireBearer}`) {
      return false;
    }
    if (requireHeader && headers[requireHeader.name.toLowerCase()] !== requireHeader.value) {
      return false;
    }
    return authorize?.(headers) ?? true;
  };
}
