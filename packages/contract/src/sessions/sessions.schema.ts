import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** `legacy`: MCP up to 2025-11-25, one session per initialize; `modern`: MCP 2026-07-28. */
export const sessionEraSchema = z.enum(['legacy', 'modern']);

/** `closed` was ended by the client, `revoked` by the service. */
export const sessionStateSchema = z.enum(['open', 'closed', 'expired', 'revoked']);

/** One user's use of one attached integration through one application, or the application's own use. */
export const sessionSchema = z
  .object({
    id: idSchema,
    integrationId: idSchema,
    userId: idSchema
      .nullable()
      .describe('Null when the application acted for itself, by client credentials.'),
    era: sessionEraSchema.describe(
      '`legacy`: MCP up to 2025-11-25; `modern`: MCP 2026-07-28, or an upstream without sessions.',
    ),
    state: sessionStateSchema.describe(
      '`closed`: ended by the client; `expired`: by silence; `revoked`: by the service.',
    ),
    live: z.boolean().describe('Whether a stream or request is in flight.'),
    createdAt: timestampSchema,
    lastActivityAt: timestampSchema.describe('When it was used last.'),
    endedAt: timestampSchema.nullable().describe('When it ended; null while it is open.'),
  })
  .register(components, { id: 'Session' });

export const sessionParamsSchema = z.object({ id: idParamSchema, sessionId: idParamSchema });
export const listSessionsQuerySchema = pageQuerySchema;
export const sessionPageSchema = pageSchema(sessionSchema).register(components, {
  id: 'SessionPage',
});

export type Session = z.output<typeof sessionSchema>;
export type SessionEra = z.output<typeof sessionEraSchema>;
export type SessionState = z.output<typeof sessionStateSchema>;
