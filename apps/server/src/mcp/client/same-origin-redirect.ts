import type { HeaderPairs } from '../../egress/sender.ts';

/** Longer ones are not worth suggesting. */
const MAX_PATH = 200;

/**
 * Where a redirect leads that stays at the origin of the URL, without its query. `undefined` for every
 * other redirect, and for a path that repeats something of the credential or of the URL's query.
 */
export function sameOriginRedirect(
  url: string,
  location: unknown,
  credential: HeaderPairs,
): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, url)) return undefined;
  const from = new URL(url);
  const to = new URL(location, url);
  if (to.origin !== from.origin || to.pathname === from.pathname) return undefined;
  if (to.pathname.length > MAX_PATH) return undefined;
  const path = decoded(to.pathname);
  const secrets = [
    ...credential.flatMap(([, value]) => [value, ...value.split(' ').slice(1)]),
    ...from.searchParams.values(),
  ];
  const isRepeated = secrets.some((secret) => secret !== '' && path?.includes(secret));
  return path === undefined || isRepeated ? undefined : `${to.origin}${to.pathname}`;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
