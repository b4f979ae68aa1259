import { error, type Finding, ok, warning } from '../findings.ts';
import type { Site } from './site.ts';

/** Half of the pause between the two events of `/healthz/stream`, in milliseconds. */
const PAUSE = 500;

const ABOUT = 'event streams';

/** Whether events arrive when they are sent. A proxy with a buffer keeps them until their stream ends. */
export async function checkStreams(site: Site): Promise<Finding> {
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
