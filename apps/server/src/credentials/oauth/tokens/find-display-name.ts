import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthHttp } from '../http.ts';
import { displayText, parseObject, type UnknownObject, valueAt } from '../json-object.ts';
import { callUrl } from '../presets/find-preset.ts';
import type { OauthUpstream, TokenSet } from '../upstream.ts';

/** The tokens of the account to name. */
export interface DisplayNameRequest {
  readonly server: UpstreamServer;
  readonly upstream: OauthUpstream;
  readonly tokens: TokenSet;
  /** Of an ID token that was checked. */
  readonly idClaims: UnknownObject | undefined;
}

/** OpenID Connect Core 1.0 section 5.1. */
const CLAIMS = ['email', 'name', 'preferred_username'] as const;

/** Milliseconds for all requests together: a name is not worth a long wait. */
const TIMEOUT = 5_000;

/**
 * The account behind an access token: by userinfo, else by the provider's profile call, else by what came
 * with the token. At most 200 characters without control characters. Never throws.
 */
export async function findDisplayName(
  http: OauthHttp,
  { server, upstream, tokens, idClaims }: DisplayNameRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { preset } = upstream;
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  const read = async (method: 'GET' | 'POST', url: string, paths: readonly string[]) =>
    nameIn(await fetchProfile(http, { method, url, token: tokens.accessToken }, within), paths);

  const { userinfoEndpoint } = server;
  const known = userinfoEndpoint && (await read('GET', userinfoEndpoint, CLAIMS));
  if (known) return known;
  const url = callUrl(preset, preset?.profile, server.issuer);
  const profile =
    url && preset?.profile && (await read(preset.profile.method, url, preset.profile.paths));
  if (profile) return profile;
  return nameIn(idClaims, CLAIMS) ?? tokens.displayName;
}

function nameIn(object: UnknownObject | undefined, paths: readonly string[]): string | undefined {
  if (object === undefined) return undefined;
  return paths.map((path) => displayText(valueAt(object, path))).find(Boolean);
}

async function fetchProfile(
  http: OauthHttp,
  {
    method,
    url,
    token,
  }: { readonly method: 'GET' | 'POST'; readonly url: string; readonly token: string },
  signal: AbortSignal,
): Promise<UnknownObject | undefined> {
  try {
    const { status, body } = await http.request(url, {
      method,
      headers: [
        ['authorization', `Bearer ${token}`],
        ['accept', 'application/json'],
      ],
      signal,
    });
    return status === 200 ? parseObject(body.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}
