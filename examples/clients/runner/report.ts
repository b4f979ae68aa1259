import { LONGEST_ANSWER } from './longest-name.ts';
import { hasAnswered, type Trial } from './trial.ts';

/** What the gateway says of the limit. */
const LIMIT = 'limit of requests in progress';

/**
 * One line: client, version, the place, whether it showed the link, when it met the upstream, and what it did at
 * a limit.
 */
export function rowOf(trial: Trial): string {
  const { name, version, place, hasShownLink } = trial;
  const link = hasShownLink ? 'link shown' : 'NO LINK';
  return [
    name.padEnd(22),
    version.padEnd(10),
    place.padEnd(7),
    link.padEnd(11),
    outcomeOf(trial) + longestOf(trial) + limitOf(trial),
  ].join(' ');
}

/**
 * Whether a client can be used: it showed the link, met the upstream, called the tool with the longest name where there
 * is one, and went on after a limit. One that does not speak
 * the era of an upstream is refused before and after.
 */
export function isUsable(trial: Trial): boolean {
  const { eras, hasShownLink, isConnected, limit, longest } = trial;
  if (!isConnected) return eras !== 'both';
  return hasShownLink && hasAnswered(limit?.after) && (longest?.includes(LONGEST_ANSWER) ?? true);
}

function longestOf({ longest }: Trial): string {
  if (longest === undefined) return '';
  return longest.includes(LONGEST_ANSWER) ? ', longest name called' : ', LONGEST NAME NOT CALLED';
}

function limitOf({ limit }: Trial): string {
  if (limit === undefined) return '';
  const shown = limit.shown.includes(LIMIT) ? 'limit shown' : 'limit not shown';
  return `, ${shown}, ${hasAnswered(limit.after) ? 'went on' : 'DID NOT GO ON'}`;
}

function outcomeOf({ eras, again, restarted, isConnected }: Trial): string {
  if (!isConnected) return eras === 'both' ? 'NOT CONNECTED' : 'does not speak this era';
  if (again === undefined) return 'the next run met the upstream';
  return restarted === undefined
    ? 'the next call met the upstream'
    : 'met the upstream after a restart';
}

/** Everything that the client showed. */
export function detailsOf({ shown, again, restarted, longest, limit }: Trial): string {
  const atLimit = { 'at a limit': limit?.shown, 'after the limit': limit?.after };
  return Object.entries({
    'at first': shown,
    again,
    'after a restart': restarted,
    longest,
    ...atLimit,
  })
    .flatMap(([when, text]) => (text === undefined ? [] : [`${when}:\n${text.trim()}`]))
    .join('\n')
    .replaceAll(/^/gm, '    ');
}
