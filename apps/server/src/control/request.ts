import type { z } from 'zod';
import type { ControlDeps } from './deps.ts';

/** One thing that the command has done, by the running server or by itself. */
export interface ControlRequest<Input, Reply> {
  readonly input: z.ZodType<Input>;
  readonly reply: z.ZodType<Reply>;
  /** Takes a few seconds at most. @throws CommandError */
  run(deps: ControlDeps, input: Input): Promise<Reply>;
}
