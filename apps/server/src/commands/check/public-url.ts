import { error, type Finding, ok, warning } from '../findings.ts';
import { checkCertificate } from './certificate.ts';
import { checkRequests } from './requests.ts';
import { openSite, type Site, type SiteResponse } from './site.ts';

interface Extent {
  /** Also check what clients receive, and what a proxy lets through. */
  readonly isWhole: boolean;
  /** Whether a server should answer. */
  readonly isServing: boolean;
  readonly token?: string | undefined;
}

/** Findings at the public URL, from requests such as clients send. */
export async function checkPublicUrl(
  origin: string,
  { isWhole, isServing, token }: Extent,
): Promise<Finding[]> {
  const site = openSite(origin);
  try {
    const unreachable = await checkReachable(site, isServing);
    if (unreachable !== undefined) {
      const isTls =
        origin.startsWith('https:') && unreachable.every(({ status }) => status === 'error');
      return isTls ? [...unreachable, await checkCertificate(origin)] : unreachable;
    }
    return [
      await checkCertificate(origin),
      ...(await checkHealth(site)),
      ...(await checkMetadata(site)),
      ...(isWhole ? await checkRequests(site, token) : []),
    ];
  } finally {
    await site.close();
  }
}

/** Milliseconds: tokens of OpenID providers and others are refused when clocks differ by minutes. */
const CLOCK_WARNING = 5_000;
const CLOCK_ERROR = 60_000;

/**
 * The first request. When it gets no response, nothing else is tried.
 *
 * @param isServing whether a server runs
 */
async function checkReachable(site: Site, isServing: boolean): Promise<Finding[] | undefined> {
  const response = await site.request('/healthz');
  if (typeof response !== 'string') return undefined;
  const finding = isServing ? error : warning;
  return [
    finding(
      'public URL',
      `${site.origin} does not respond: ${response}`,
      'Start the server, and check name, address, port and firewall. From inside, a public address may be out of reach: try it from where clients are.',
    ),
  ];
}

/** `/healthz`, `/readyz` and the clock. */
async function checkHealth(site: Site): Promise<Finding[]> {
  const [health, ready] = [await site.request('/healthz'), await site.request('/readyz')];
  return [
    stateOf('healthz', health, 'ok', 'Something else answers there: check the proxy.'),
    stateOf(
      'readyz',
      ready,
      'ready',
      'The database cannot be written, or the server is starting or stopping: its log says why.',
    ),
    ...(typeof health === 'string' ? [] : clockOf(health)),
  ];
}

function stateOf(
  about: string,
  response: SiteResponse | string,
  wanted: string,
  remedy: string,
): Finding {
  if (typeof response === 'string') return error(about, response, remedy);
  return response.status === 200 && response.json?.status === wanted
    ? ok(about, `It answers ${wanted}.`)
    : error(about, `It answers ${response.status}.`, remedy);
}

function clockOf({ clockDifference }: SiteResponse): Finding[] {
  if (clockDifference === undefined) return [];
  const distance = Math.abs(clockDifference);
  const found = `The clocks of this machine and of the service differ by about ${Math.round(distance / 1_000)} s.`;
  if (distance < CLOCK_WARNING) return [ok('clock', found)];
  const finding = distance < CLOCK_ERROR ? warning : error;
  return [finding('clock', found, 'Have both set their clocks by NTP.')];
}

/** The metadata documents by which clients sign in. They must name the URL that the clients use. */
async function checkMetadata(site: Site): Promise<Finding[]> {
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
