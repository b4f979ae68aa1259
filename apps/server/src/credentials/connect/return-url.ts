/**
 * Where a browser may go after connecting: an absolute URL under one of these origins.
 *
 * @returns undefined for any other
 */
export function allowedReturnUrl(
  value: string | null | undefined,
  origins: ReadonlySet<string>,
): URL | undefined {
  if (value === null || value === undefined || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const hasUserinfo = url.username !== '' || url.password !== '';
  return isWeb && !hasUserinfo && origins.has(url.origin) ? url : undefined;
}
