import { Command } from 'commander';
import { fileVariable } from '../platform/config/secret-file.ts';
import { SETTINGS } from '../platform/config/settings.ts';
import type { AnyCommand, CommandDescription } from './definition.ts';

/** The long option that every command but `serve` has. */
const JSON_OPTION = {
  flags: '--json',
  purpose: 'Print one JSON document instead of text.',
} as const;

/** What two-word commands have in common. */
const GROUPS: Readonly<Record<string, string>> = {
  token: 'Make access tokens.',
  keys: 'Replace encryption keys while the service runs.',
  audit: 'Prove who did what.',
};

/** Called with what was typed for a command. */
export type RunCommand = (
  command: AnyCommand,
  given: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** The tree of commands. Errors are thrown as `CommanderError`, and nothing ends the process. */
export function createProgram(
  commands: readonly AnyCommand[],
  version: string,
  runCommand: RunCommand,
): Command {
  const program = new Command('gatehouse')
    .description('Gatehouse lets AI applications use remote MCP servers safely.')
    .version(version, '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print this help, or that of a command.')
    .exitOverride()
    .addHelpText('after', '\n`gatehouse serve --help` lists the settings of the server.');
  program
    .command('serve')
    .summary('Start the server, as Gatehouse does without a command.')
    .description('Starts the server. Environment variables configure it:')
    .helpOption('-h, --help', 'Print this help.')
    .addHelpText('after', `\n${settingsHelp()}`);
  for (const command of commands) addCommand(program, command, runCommand);
  return program;
}

function addCommand(program: Command, command: AnyCommand, runCommand: RunCommand): void {
  const added = parentOf(program, command)
    .command(command.name.split(' ').at(-1) ?? '')
    .summary(command.summary)
    .description([command.summary, command.details].filter(Boolean).join('\n\n'))
    .helpOption('-h, --help', 'Print this help.')
    .addHelpText('after', `\nExample:\n  ${command.example}`);
  const names = (command.arguments ?? []).map(({ name, purpose, isOptional }) => {
    added.argument(isOptional ? `[${name}]` : `<${name}>`, purpose);
    return name;
  });
  for (const { flags, purpose, isRequired } of optionsOf(command)) {
    if (isRequired) added.requiredOption(flags, purpose);
    else added.option(flags, purpose);
  }
  added.action((...typed: unknown[]) => {
    const given = Object.fromEntries(names.map((name, index) => [name, typed[index]]));
    return runCommand(command, { ...given, ...added.opts() });
  });
}

/** The options of a command, `--json` included. */
export function optionsOf({ options = [] }: CommandDescription) {
  return [...options, JSON_OPTION as CommandOption];
}

type CommandOption = NonNullable<CommandDescription['options']>[number];

function parentOf(program: Command, { name }: AnyCommand): Command {
  const [group = '', leaf] = name.split(' ');
  if (leaf === undefined) return program;
  const found = program.commands.find((command) => command.name() === group);
  return (
    found ??
    program
      .command(group)
      .summary(GROUPS[group] ?? '')
      .description(GROUPS[group] ?? '')
      .helpOption('-h, --help', 'Print this help.')
      .helpCommand(false)
  );
}

function settingsHelp(): string {
  return Object.values(SETTINGS)
    .map(
      ({ name, purpose, expected, fallback, isSecret }) =>
        `  ${name}\n      ${purpose}\n      Expected: ${expected}.\n      When not set: ${fallback}.\n${isSecret ? `      From a file: ${fileVariable(name)}.\n` : ''}`,
    )
    .join('');
}
