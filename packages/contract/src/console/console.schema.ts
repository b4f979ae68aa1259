import * as z from 'zod';
import { resourceUriSchema } from '../shared/uris.ts';

/** `POST /console/token`. Not of the management API: it reads the cookie of the browser session. */
export const consoleTokenBodySchema = z.strictObject({
  /** The person has done something since the last token: their browser session goes on for longer. */
  active: z.boolean().default(false),
  /** The gateway URL at which the token is used; without it the management API. */
  resource: resourceUriSchema.optional(),
});

/** Its response. */
export interface ConsoleToken {
  readonly accessToken: string;
  /** The person who is signed in: a page that was opened for another one must not use the token. */
  readonly userId: string;
  readonly expiresAt: string;
}
