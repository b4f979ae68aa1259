import { KeyringError } from '../vault/key-check.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { ControlDeps } from './deps.ts';
import type { ControlRequest } from './request.ts';
import { type InputOf, REQUESTS, type ReplyOf, type RequestName } from './requests.ts';

/** @throws CommandError when the request is refused, or the input is not one of it */
export async function runRequest<Name extends RequestName>(
  deps: ControlDeps,
  name: Name,
  input: InputOf<Name>,
): Promise<ReplyOf<Name>> {
  const request: ControlRequest<unknown, ReplyOf<Name>> = REQUESTS[name] as never;
  const parsed = request.input.safeParse(input);
  if (!parsed.success) throw new CommandError('The server does not understand this request.');
  try {
    return await request.run(deps, parsed.data);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError(error.message, EXIT.failed, { cause: error });
  }
}
