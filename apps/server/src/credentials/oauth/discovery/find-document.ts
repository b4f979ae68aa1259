import type { OauthHttp } from '../http.ts';
import { parseObject, type UnknownObject } from '../json-object.ts';
import { troubleOf, UpstreamOauthError } from '../upstream-error.ts';

/**
 * The first usable document of several locations, tried in turn. A response that is not a JSON object
 * counts as missing, because many servers answer every path with their page. If no location has a usable
 * document, an error of one of them is thrown, so that a failure never looks like "not published".
 *
 * @param read throws UpstreamOauthError for a document that cannot be used
 * @throws UpstreamOauthError
 */
export async function findDocument<T>(
  http: OauthHttp,
  locations: readonly string[],
  read: (document: UnknownObject) => T,
  signal: AbortSignal,
): Promise<T | undefined> {
  let failure: UpstreamOauthError | undefined;
  for (const location of new Set(locations)) {
    try {
      const document = await fetchDocument(http, location, signal);
      if (document !== undefined) return read(document);
    } catch (error) {
      if (!(error instanceof UpstreamOauthError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

async function fetchDocument(
  http: OauthHttp,
  url: string,
  signal: AbortSignal,
): Promise<UnknownObject | undefined> {
  const { status, headers, body } = await http.request(url, {
    method: 'GET',
    headers: [['accept', 'application/json']],
    signal,
  });
  const trouble = troubleOf(status, headers['retry-after']);
  if (trouble !== undefined) throw trouble;
  return status >= 200 && status < 300 ? parseObject(body.toString('utf8')) : undefined;
}
