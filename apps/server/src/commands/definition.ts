import type { z } from 'zod';
import { CommandError, EXIT, type ExitCode } from '../control/command-error.ts';
import type { Progress } from './progress.ts';

/** What a command runs with. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of this program. */
  readonly version: string;
  readonly progress: Progress;
}

/** What a command has done or found. */
export interface Outcome {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  /** What a person reads, without a line break at the end. */
  readonly text: string;
  /** Default: `EXIT.done`. */
  readonly exitCode?: ExitCode;
}

export interface ArgumentDefinition {
  /** Its key in the input. */
  readonly name: string;
  readonly purpose: string;
  readonly isOptional?: true;
}

export interface OptionDefinition {
  /** In commander's syntax: `--expires-in <duration>`. The input has the long name in camel case. */
  readonly flags: string;
  readonly purpose: string;
  readonly isRequired?: true;
}

/** How a command is described, in its help and `docs/run/command.md`. */
export interface CommandDescription {
  /** One or two words, such as `keys status`. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** More sentences for its help. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** An example command line. */
  readonly example: string;
}

export interface CommandDefinition<Input> extends CommandDescription {
  /** Checks arguments and options; its messages are sentences that name the option. */
  readonly input: z.ZodType<Input>;
  /** @throws CommandError */
  run(input: Input, context: CommandContext): Promise<Outcome>;
}

/** A command before its input is checked. */
export interface AnyCommand extends CommandDescription {
  /** @throws CommandError */
  run(given: Readonly<Record<string, unknown>>, context: CommandContext): Promise<Outcome>;
}

/** Wrong input is refused before the command runs. */
export function defineCommand<Input>({
  input,
  run,
  ...description
}: CommandDefinition<Input>): AnyCommand {
  return {
    ...description,
    run(given, context) {
      const parsed = input.safeParse(given);
      if (parsed.success) return run(parsed.data, context);
      const messages = parsed.error.issues.map(({ message }) => message);
      const help = `Try gatehouse ${description.name} --help.`;
      return Promise.reject(new CommandError([...messages, help].join(' '), EXIT.usage));
    },
  };
}
