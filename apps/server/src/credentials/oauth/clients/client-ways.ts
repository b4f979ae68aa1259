import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthUpstream, UpstreamClient } from '../upstream.ts';

/**
 * How Gatehouse can be a client of the server, in order of preference; empty if it cannot without an
 * admin. A client that an admin entered is the only way: nothing takes its place.
 *
 * @param ours our own origin. Servers fetch our metadata document by https only.
 */
export function clientWays(
  server: Pick<UpstreamServer, 'supportsClientIdMetadata' | 'registrationEndpoint'>,
  { config }: Pick<OauthUpstream, 'config'>,
  ours: { readonly origin: string },
): readonly UpstreamClient['source'][] {
  if (config.clientId !== undefined) return ['static'];
  const hasDocument = server.supportsClientIdMetadata && ours.origin.startsWith('https://');
  return [
    ...(hasDocument ? (['metadata_document'] as const) : []),
    ...(server.registrationEndpoint === undefined ? [] : (['registered'] as const)),
  ];
}
