import { error, type Finding, ok } from '../findings.ts';
import type { Site, SiteResponse } from './site.ts';

/** Documents from which clients find out how to sign in. They must name the URL that the clients use. */
export async function checkMetadata(site: Site): Promise<Finding[]> {
  const issuer = await site.request('/.well-known/oauth-authorization-server');
  const resource = await site.request('/.well-known/oauth-protected-resource/api/v1');
  return [
    named('authorization server', issuer, 'issuer', site.origin),
    named('protected resource', resource, 'resource', `${site.origin}/api/v1`),
  ];
}

function named(
  about: string,
  response: SiteResponse | string,
  field: string,
  expected: string,
): Finding {
  if (typeof response === 'string') return error(about, response, 'Check the proxy.');
  if (response.json?.code === 'host_not_allowed') {
    return error(
      about,
      'The service does not take the Host header that reaches it.',
      'Have the proxy pass on the Host of the client, and set GATEHOUSE_PUBLIC_URL to the URL that clients use.',
    );
  }
  if (response.status !== 200) {
    return error(about, `Its metadata answers ${response.status}.`, 'Check the proxy.');
  }
  return response.json?.[field] === expected
    ? ok(about, `Its metadata names ${expected}.`)
    : error(
        about,
        `Its metadata does not name ${expected}: another service answers, or one with another public URL.`,
        'Set GATEHOUSE_PUBLIC_URL to the URL that clients use.',
      );
}
