import type { Trial } from './trial.ts';

/** One line: client, version, whether it showed the link, and when it met the upstream. */
export function rowOf(trial: Trial): string {
  const { name, version, hasShownLink } = trial;
  const link = hasShownLink ? 'link shown' : 'NO LINK';
  return `${name.padEnd(22)} ${version.padEnd(10)} ${link.padEnd(12)} ${outcomeOf(trial)}`;
}

function outcomeOf({ again, restarted, isConnected }: Trial): string {
  if (!isConnected) return 'NOT CONNECTED';
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
