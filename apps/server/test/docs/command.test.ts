import { it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import type { AnyCommand } from '../../src/commands/definition.ts';
import { optionsOf } from '../../src/commands/program.ts';
import { expectGenerated } from './generated-part.ts';

/** A vertical bar would end a cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function sectionOf(command: AnyCommand): string {
  const { name, summary, details, arguments: given = [], example } = command;
  const parameters = [
    ...given.map(
      ({ name, isOptional, purpose }) => [isOptional ? `[${name}]` : `<${name}>`, purpose] as const,
    ),
    ...optionsOf(command).map(({ flags, purpose, isRequired }) => {
      const note = isRequired === true ? ' Required.' : '';
      return [flags, purpose + note] as const;
    }),
  ];
  return [
    `### ${name}`,
    summary,
    ...(details === undefined ? [] : [details.replaceAll('\n', '\\\n').replaceAll('<', '\\<')]),
    ['```sh', example, '```'].join('\n'),
    [
      '| | |',
      '|---|---|',
      ...parameters.map(([flags, purpose]) => `| \`${flags}\` | ${cell(purpose)} |`),
    ].join('\n'),
  ].join('\n\n');
}

it('describes every command, as the command describes itself', () => {
  expectGenerated(
    'docs/run/command.md',
    /(?<before><!-- commands: .*? -->\n\n)[\s\S]*?(?<after>\n\n<!-- end -->)/,
    COMMANDS.map(sectionOf).join('\n\n'),
  );
});
