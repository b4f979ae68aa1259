import { type Command, CommanderError } from 'commander';
import { CommandError, EXIT, type ExitCode } from '../control/command-error.ts';
import { ConfigError } from '../platform/config/config.ts';
import { DatabaseStartError } from '../platform/database/start-error.ts';
import { KeyringError } from '../vault/key-check.ts';
import { COMMANDS } from './commands.ts';
import type { CommandContext, Outcome } from './definition.ts';
import { createProgram } from './program.ts';
import { createProgress } from './progress.ts';

/** The environment and streams of a command. */
export interface CommandLine {
  readonly environment: CommandContext['environment'];
  readonly version: string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

/**
 * Runs one command other than `serve`.
 *
 * @returns the exit code
 */
export async function runCommandLine(
  args: readonly string[],
  { environment, version, stdout, stderr }: CommandLine,
): Promise<ExitCode> {
  const isJson = args.includes('--json');
  let exitCode: ExitCode = EXIT.done;
  const program = createProgram(COMMANDS, version, async (command, given) => {
    const progress = createProgress(stderr);
    const { json: _, ...input } = given;
    const outcome = await command
      .run(input, { environment, version, progress })
      .finally(() => progress.end());
    stdout.write(shown(outcome, isJson));
    exitCode = outcome.exitCode ?? EXIT.done;
  });
  const fail = (message: string, code: ExitCode): ExitCode => {
    stderr.write(`${message}\n`);
    if (isJson) stdout.write(`${JSON.stringify({ error: message })}\n`);
    return code;
  };
  let mistaken = program;
  quiet(program, stdout, (command) => {
    mistaken = command;
  });
  try {
    await program.parseAsync(withoutHelp(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      return fail(`${sentenceOf(error)} Try ${nameOf(mistaken)} --help.`, EXIT.usage);
    }
    const failure = toFailure(error);
    if (failure === undefined) throw error;
    return fail(failure.message, failure.exitCode);
  }
}

function shown({ json, text }: Outcome, isJson: boolean): string {
  return `${isJson ? JSON.stringify(json) : text}\n`;
}

/** `help keys add` is `keys add --help`: commander's own knows commands of one word. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  return first === 'help' ? [...rest, '--help'] : args;
}

/** Such as `gatehouse keys add`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Errors are written here, once; help goes to standard output, even for a group without a command. */
function quiet(
  program: Command,
  stdout: CommandLine['stdout'],
  onMistake: (command: Command) => void,
): void {
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    const leave = (error: CommanderError): never => {
      onMistake(command);
      throw error;
    };
    command.exitOverride(leave).configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: () => {},
    });
  }
}

/** commander's messages begin with `error: ` and may end with a suggestion on a separate line. */
function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Name one of its commands.';
  const [text = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.?$/, '.');
  return [sentence, ...rest.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ');
}

/** Undefined for an error in our own code. */
function toFailure(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return new CommandError(error.message, EXIT.usage);
  if (error instanceof DatabaseStartError) return new CommandError(error.message, EXIT.unreachable);
  if (error instanceof KeyringError) return new CommandError(error.message);
  return undefined;
}
