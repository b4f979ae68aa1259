import type { Trial } from './trial.ts';

/** One line: client, version, the upstream's eras, whether it showed the link, and when it met the upstream. */
export function rowOf(trial: Trial): string {
  const { name, version, eras, hasShownLink } = trial;
  const link = hasShownLink ? 'link shown' : 'NO LINK';
  return [
    name.padEnd(22),
    version.padEnd(10),
    eras.padEnd(7),
    link.padEnd(11),
    outcomeOf(trial),
  ].join(' ');
}

/**
 * Whether a client can be used: it showed the link, and met the upstream. One that does not speak the era of
 * an upstream is refused before and after.
 */
export function isUsable({ eras, hasShownLink, isConnected }: Trial): boolean {
  return isConnected ? hasShownLink : eras !== 'both';
}

function outcomeOf({ eras, again, restarted, isConnected }: Trial): string {
  if (!isConnected) return eras === 'both' ? 'NOT CONNECTED' : 'does not speak this era';
  if (again === undefined) return 'the next run met the upstream';
  return restarted === undefined
    ? 'the next call met the upstream'
    : 'met the upstream after a restart';
}

/** Everything that the client showed. */
export function detailsOf({ shown, again, restarted }: Trial): string {
  return Object.entries({ 'at first': shown, again, 'after a restart': restarted })
    .flatMap(([when, text]) => (text === undefined ? [] : [`${when}:\n${text.trim()}`]))
    .join('\n')
    .replaceAll(/^/gm, '    ');
}
