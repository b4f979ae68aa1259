import * as z from 'zod';
import { timestampSchema } from '../shared/timestamps.ts';

/** `POST /console/token`. Not of the management API: it reads the cookie of the browser session. */
export const consoleTokenBodySchema = z.strictObject({
  /** The person has done something since the last token: their browser session goes on for longer. */
  active: z.boolean().default(false),
});

export const consoleTokenSchema = z.object({
  accessToken: z.string(),
  expiresAt: timestampSchema,
});

export type ConsoleTokenBody = z.input<typeof consoleTokenBodySchema>;
export type ConsoleToken = z.output<typeof consoleTokenSchema>;
