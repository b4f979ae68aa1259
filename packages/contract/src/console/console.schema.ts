import * as z from 'zod';

/** `POST /console/token`. Not of the management API: it reads the cookie of the browser session. */
export const consoleTokenBodySchema = z.strictObject({
  /** The person has done something since the last token: their browser session goes on for longer. */
  active: z.boolean().default(false),
});

/** Its response. */
export interface ConsoleToken {
  readonly accessToken: string;
  readonly expiresAt: string;
}
