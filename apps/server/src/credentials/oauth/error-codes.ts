import type { UpstreamOauthCode } from './upstream-error.ts';

/** Our codes by those of providers. */
export type ErrorCodes = Readonly<Record<string, UpstreamOauthCode>>;

/** Our code for an error, by the first table that has it. */
export function codeFor(
  error: string,
  tables: readonly (ErrorCodes | undefined)[],
): UpstreamOauthCode | undefined {
  return tables.find((codes) => codes !== undefined && Object.hasOwn(codes, error))?.[error];
}
