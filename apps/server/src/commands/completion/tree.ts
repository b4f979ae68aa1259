import type { AnyCommand } from '../definition.ts';
import { GROUPS, optionsOf } from '../program.ts';

/** A word that can follow, and what it means. */
export interface Completion {
  readonly word: string;
  readonly purpose: string;
}

/** What can follow some words. */
export interface Place {
  /** The words after `gatehouse`: none, a group, or a whole command. */
  readonly words: readonly string[];
  readonly completions: readonly Completion[];
}

const HELP: Completion = { word: '--help', purpose: 'Print help.' };
const SERVE: Completion = { word: 'serve', purpose: 'Start the server (the default).' };

/** Whole commands first, so that the first place that fits is the right one. */
export function completionsOf(commands: readonly AnyCommand[]): readonly Place[] {
  const whole = commands.map((command) => ({
    words: command.name.split(' '),
    completions: [
      ...optionsOf(command).map(({ flags, purpose }) => ({
        word: flags.split(' ')[0] ?? flags,
        purpose,
      })),
      HELP,
    ],
  }));
  const inGroups = Object.keys(GROUPS).map((group) => ({
    words: [group],
    completions: [
      ...commands
        .filter(({ name }) => name.startsWith(`${group} `))
        .map(({ name, summary }) => ({ word: name.slice(group.length + 1), purpose: summary })),
      HELP,
    ],
  }));
  const first = [
    SERVE,
    ...commands
      .filter(({ name }) => !name.includes(' '))
      .map(({ name, summary }) => ({ word: name, purpose: summary })),
    ...Object.entries(GROUPS).map(([word, purpose]) => ({ word, purpose })),
    HELP,
    { word: '--version', purpose: 'Print the version.' },
  ];
  return [...whole, ...inGroups, { words: [], completions: first }];
}
