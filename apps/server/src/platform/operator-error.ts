/** A start or command cannot go on. The message says to the operator why, in one sentence, and what to do. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
