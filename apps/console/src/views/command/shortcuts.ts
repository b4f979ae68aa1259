import type { Destination } from '../../shell/navigation.tsx';

/** What is typed after `g` to open a view. */
const LETTERS: Readonly<Record<Destination['to'], string>> = {
  '/': 'h',
  '/integrations': 'i',
  '/connections': 'c',
  '/applications': 'a',
  '/activity': 'v',
  '/playground': 'y',
  '/tokens': 't',
  '/access': 'x',
  '/people': 'p',
  '/groups': 'g',
  '/settings': 's',
};

/** The keys that open a view. */
export function keysTo(to: Destination['to']): readonly string[] {
  return ['g', LETTERS[to]];
}

export interface Shortcut {
  readonly keys: readonly string[];
  readonly run: () => void;
}

/** Two keys belong together when no more time than this is between them. */
const PAUSE = 1_000;

/** Finds what keys mean that are typed one after the other, at times in milliseconds. */
export function createKeyReader(): (
  key: string,
  at: number,
  shortcuts: readonly Shortcut[],
) => Shortcut | undefined {
  let before: { key: string; at: number } | undefined;
  return (key, at, shortcuts) => {
    const meant = (typed: string) => shortcuts.find(({ keys }) => keys.join(' ') === typed);
    const isFollowing = before !== undefined && at - before.at <= PAUSE;
    const found = (isFollowing && meant(`${before?.key} ${key}`)) || meant(key);
    before = found === undefined ? { key, at } : undefined;
    return found;
  };
}
