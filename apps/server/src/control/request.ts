import type { z } from 'zod';
import type { Store } from '../platform/database/store.ts';
import type { ChangeableKeys } from '../vault/live-keyring.ts';

/** What requests of the command work on, in the server or in the command itself. */
export interface ControlDeps {
  readonly store: Store;
  readonly publicUrl: string;
  readonly keys: ChangeableKeys;
}

/** One request of a command, carried out by the running server or the command itself. */
export interface ControlRequest<Input, Reply> {
  readonly input: z.ZodType<Input>;
  readonly reply: z.ZodType<Reply>;
  /** Takes a few seconds at most. @throws CommandError */
  run(deps: ControlDeps, input: Input): Promise<Reply>;
}

/** The types of a request follow from its schemas. */
export function defineRequest<Input, Reply>(
  request: ControlRequest<Input, Reply>,
): ControlRequest<Input, Reply> {
  return request;
}
