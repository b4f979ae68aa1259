import { hasAnswered, type Trial } from './trial.ts';

/** What the gateway says of the limit. */
const LIMIT = 'limit of requests in progress';

/**
 * One line: client, version, the upstream's eras, whether it showed the link, when it met the upstream, and what it did at
 * a limit.
 */
export function rowOf(trial: Trial): string {
  const { name, version, eras, hasShownLink } = trial;
  const link = hasShownLink ? 'link shown' : 'NO LINK';
  return [
    name.padEnd(22),
    version.padEnd(10),
    eras.padEnd(7),
    link.padEnd(11),
    outcomeOf(trial) + limitOf(trial),
  ].join(' ');
}

/**
 * Whether a client can be used: it showed the link, met the upstream, and went on after a limit. One that does not speak
 * the era of an upstream is refused before and after.
 */
export function isUsable({ eras, hasShownLink, isConnected, limit }: Trial): boolean {
  return isConnected ? hasShownLink && hasAnswered(limit?.after) : eras !== 'both';
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
export function detailsOf({ shown, again, restarted, limit }: Trial): string {
  const atLimit = { 'at a limit': limit?.shown, 'after the limit': limit?.after };
  return Object.entries({ 'at first': shown, again, 'after a restart': restarted, ...atLimit })
    .flatMap(([when, text]) => (text === undefined ? [] : [`${when}:\n${text.trim()}`]))
    .join('\n')
    .replaceAll(/^/gm, '    ');
}
