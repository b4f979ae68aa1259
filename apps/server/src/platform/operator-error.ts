/** A start or command cannot go on. The message says to the operator why, in one sentence, and what to do. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** The codes with which Node reports that the process, or the machine, may open no more files. */
export const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** Tells an operator how to go on. */
export const MORE_FILES = 'Allow the process more open files (ulimit -n)';
