import { error, type Finding, ok, warning } from '../findings.ts';
import type { Site, SiteResponse } from './site.ts';

/** Milliseconds: tokens of OpenID providers and others are refused when clocks differ by minutes. */
const CLOCK_WARNING = 5_000;
const CLOCK_ERROR = 60_000;

/**
 * The first request. When it gets no response, nothing else is tried.
 *
 * @param isServing whether a server runs
 */
export async function checkReachable(
  site: Site,
  isServing: boolean,
): Promise<Finding[] | undefined> {
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
export async function checkHealth(site: Site): Promise<Finding[]> {
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
