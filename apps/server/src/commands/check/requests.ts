import { error, type Finding, ok, warning } from '../findings.ts';
import type { Site, SiteResponse } from './site.ts';

/** The size of the largest request body that a proxy must let pass, in bytes. */
const LARGEST = 16 * 1024 * 1024;

/** Milliseconds to send that body. */
const LARGE_TIMEOUT = 60_000;

const GATEWAY_PATH = `/mcp/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;

/** What clients without a token receive, and what a proxy lets through. */
export async function checkRequests(site: Site, token?: string): Promise<Finding[]> {
  const api = await site.request('/api/v1/me');
  const gateway = await site.request(GATEWAY_PATH, { method: 'POST', body: '{}' });
  return [
    challenged('API', api, 'Bearer'),
    challenged('gateway', gateway, `resource_metadata="${site.origin}/`),
    await checkSize(site),
    await checkStreams(site),
    await checkVersion(site),
    ...(token === undefined ? [] : [await checkToken(site, token)]),
  ];
}

/** @param wanted what the challenge must contain */
function challenged(about: string, response: SiteResponse | string, wanted: string): Finding {
  if (typeof response === 'string') return error(about, response, 'Check the proxy.');
  const challenge = response.header('www-authenticate') ?? '';
  if (response.status === 401 && challenge.includes(wanted)) {
    return ok(about, 'A request without a token is refused with a challenge.');
  }
  return error(
    about,
    `A request without a token gets ${response.status}${challenge === '' ? ' without a WWW-Authenticate header' : ''}.`,
    'It should get 401 with a challenge, at the gateway one that names this URL: have the proxy pass requests and headers on as they are.',
  );
}

async function checkSize(site: Site): Promise<Finding> {
  const response = await site.request(GATEWAY_PATH, {
    method: 'POST',
    body: ' '.repeat(LARGEST),
    timeout: LARGE_TIMEOUT,
  });
  const about = 'request size';
  const remedy = 'Let the proxy take bodies of 16 MiB (nginx: client_max_body_size 16m).';
  if (typeof response === 'string') {
    return warning(about, `16 MiB could not be sent: ${response}`, remedy);
  }
  return response.status === 413
    ? error(about, 'A request of 16 MiB is refused.', remedy)
    : ok(about, 'A request of 16 MiB reaches the service.');
}

async function checkVersion(site: Site): Promise<Finding> {
  const response = await site.request('/api/v1/openapi.json');
  const info = typeof response === 'string' ? undefined : response.json?.info;
  const version =
    typeof info === 'object' && info !== null && 'version' in info ? String(info.version) : '';
  return version === ''
    ? warning('version', 'The service does not show its version.', 'Check the proxy.')
    : ok('version', `The service is Gatehouse ${version.slice(0, 40)}.`);
}

async function checkToken(site: Site, token: string): Promise<Finding> {
  const response = await site.request('/api/v1/me', { token });
  if (typeof response === 'string') return error('token', response, 'Try again.');
  if (response.status === 200) return ok('token', 'The token works.');
  return error(
    'token',
    `A request with the token gets ${response.status}.`,
    'Make another token, and check that the proxy passes the Authorization header on.',
  );
}

/** Half of the pause between the two events of `/healthz/stream`, in milliseconds. */
const PAUSE = 500;

const ABOUT = 'event streams';

/** Whether events arrive when they are sent. A proxy with a buffer keeps them until their stream ends. */
async function checkStreams(site: Site): Promise<Finding> {
  const times: number[] = [];
  const response = await site.request('/healthz/stream', {
    onPiece: () => void times.push(performance.now()),
  });
  if (typeof response === 'string') return error(ABOUT, response, 'Check the proxy.');
  if (response.status !== 200) {
    return warning(
      ABOUT,
      `They could not be tried: /healthz/stream answers ${response.status}.`,
      'Let the proxy pass this path on. A service of an older version does not have it.',
    );
  }
  const [first = 0] = times;
  return (times.at(-1) ?? 0) - first >= PAUSE
    ? ok(ABOUT, 'Events arrive when they are sent.')
    : error(
        ABOUT,
        'Something on the way keeps events back until their stream ends: MCP clients would wait.',
        'Have the proxy pass responses on without a buffer (nginx: proxy_buffering off).',
      );
}
