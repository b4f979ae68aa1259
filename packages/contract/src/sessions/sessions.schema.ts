import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** `legacy`: MCP up to 2025-11-25, one session per initialize; `modern`: MCP 2026-07-28. */
export const sessionEraSchema = z.enum(['legacy', 'modern']);

/** `closed` was ended by the client, `revoked` by the service. */
export const sessionStateSchema = z.enum(['open', 'closed', 'expired', 'revoked']);

/** `lease`: a credential that was handed out, and that its holder uses without the gateway. */
export const sessionKindSchema = z.enum(['session', 'lease']);

/**
 * One user's use of one attached integration through one application, or the application's own use; or the
 * lease of a credential that was handed out for such use.
 */
export const sessionSchema = z
  .object({
    kind: sessionKindSchema.describe(
      '`session`: calls through the gateway; `lease`: a credential that was handed out.',
    ),
    id: idSchema,
    integrationId: idSchema,
    userId: idSchema
      .nullable()
      .describe('Null when the application acted for itself, by client credentials.'),
    era: sessionEraSchema.describe(
      '`legacy`: MCP up to 2025-11-25; `modern`: MCP 2026-07-28, or an upstream without sessions. ' +
        'Of a lease always `modern`.',
    ),
    state: sessionStateSchema.describe(
      '`closed`: ended by the client; `expired`: by silence, of a lease at its end; `revoked`: by the service.',
    ),
    live: z.boolean().describe('Whether a stream or request is in flight.'),
    createdAt: timestampSchema,
    lastActivityAt: timestampSchema.describe(
      'When it was used last; of a lease when the credential was handed out.',
    ),
    endedAt: timestampSchema.nullable().describe('When it ended; null while it is open.'),
    expiresAt: timestampSchema
      .nullable()
      .describe('When a lease ends by itself; null for a session, which expires by silence.'),
  })
  .register(components, { id: 'Session' });

export const sessionParamsSchema = z.object({ id: idParamSchema, sessionId: idParamSchema });
export const listSessionsQuerySchema = pageQuerySchema;
export const sessionPageSchema = pageSchema(sessionSchema).register(components, {
  id: 'SessionPage',
});

export type Session = z.output<typeof sessionSchema>;
export type SessionKind = z.output<typeof sessionKindSchema>;
export type SessionEra = z.output<typeof sessionEraSchema>;
export type SessionState = z.output<typeof sessionStateSchema>;
