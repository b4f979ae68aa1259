/** What the exit codes of the command mean. `docs/run/command.md` has them as a table. */
export const EXIT = {
  /** Done. */
  done: 0,
  /** Refused or failed. */
  failed: 1,
  /** Wrong arguments or settings. */
  usage: 2,
  /** No server, or no database, can be reached. */
  unreachable: 3,
  /** `check`, `doctor` or `audit verify` found an error. */
  findings: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command ends without success; the message is one sentence for the person who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
