import type { Completion, Place } from './tree.ts';

export function fishScript(places: readonly Place[]): string {
  return ['complete -c gatehouse -f', ...places.flatMap(linesOf)].join('\n');
}

function linesOf(
  { words, completions }: Place,
  _index: number,
  places: readonly Place[],
): string[] {
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const deeper = places
    .filter((place) => place.words.length === 2 && place.words[0] === words[0])
    .map((place) => place.words[1]);
  const isGroup = words.length === 1 && deeper.length > 0;
  const condition = [
    ...(words.length === 0 ? ['__fish_use_subcommand'] : seen),
    ...(isGroup ? [`not __fish_seen_subcommand_from ${deeper.join(' ')}`] : []),
  ].join('; and ');
  return completions.map((completion) => lineOf(condition, completion));
}

function lineOf(condition: string, { word, purpose }: Completion): string {
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `complete -c gatehouse -n '${condition}' ${what} -d '${purpose.replaceAll("'", "\\'")}'`;
}
