import * as z from 'zod';
import { connectionReasonSchema } from '../connections/connections.schema.ts';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { timestampSchema } from '../shared/timestamps.ts';

const countSchema = z.int().nonnegative();
const expiresAtSchema = timestampSchema.describe('When it expires.');

/** The first of what needs attention, and how many there are. */
function needsOf<Item extends z.ZodType>(item: Item, which: string) {
  const items = z.array(item).max(limits.namedRows);
  return z.object({ total: countSchema, items }).describe(which);
}

const attentionSchema = z
  .object({
    invalidIntegrations: needsOf(
      z.object({
        id: idSchema,
        name: z.string(),
        message: z.string().nullable().describe('What the validation said.'),
      }),
      'Integrations that the last validation found invalid, the newest first, without those in `connections`.',
    ),
    connections: needsOf(
      z.object({ integrationId: idSchema, name: z.string(), reason: connectionReasonSchema }),
      `The caller’s own connections to renew, with the name of the integration. The newest ${limits.overviewRows} are looked at.`,
    ),
    certificates: needsOf(
      z.object({ id: idSchema, name: z.string(), expiresAt: expiresAtSchema }),
      'Integrations with a TLS certificate that expires within 14 days, the soonest first; empty for members.',
    ),
    tokens: needsOf(
      z.object({ id: idSchema, name: z.string(), expiresAt: expiresAtSchema }),
      'The caller’s own personal tokens that expire within 7 days, the soonest first.',
    ),
    changedTools: needsOf(
      z.object({
        id: idSchema,
        name: z.string(),
        toolCount: countSchema.describe('How many of its tools have changed.'),
        toolNames: z
          .array(z.string())
          .max(limits.overviewToolNames)
          .describe('The first of them, by name.'),
      }),
      `Integrations with tools in the state \`changed\`, the newest first; empty for members. The ${limits.overviewRows} that were reviewed last are looked at.`,
    ),
  })
  .register(components, {
    id: 'OverviewAttention',
    description: `What needs the caller: of each kind at most ${limits.namedRows} items, and the number of all.`,
  });

/** What is in use, and what needs attention, as far as the caller may see it. */
const overviewSchema = z
  .object({
    firstCallAt: timestampSchema
      .nullable()
      .describe(
        'When a client other than the console first opened a session of these applications; null before that.',
      ),
    integrations: z
      .object({
        total: countSchema.describe('Those that are not archived.'),
        valid: countSchema.describe('Those that the last validation found valid.'),
      })
      .describe('Of the organization.'),
    applications: z
      .object({
        total: countSchema.describe('Those that are not archived.'),
        inUse: countSchema.describe('Those with an active session.'),
      })
      .describe('For members those that they own.'),
    sessions: z
      .object({
        active: countSchema.describe('Open sessions with recent activity.'),
        total: countSchema.describe('All sessions ever.'),
      })
      .describe('Of the same applications.'),
    connections: countSchema.describe('How many integrations the caller has connected.'),
    attention: attentionSchema,
  })
  .register(components, {
    id: 'Overview',
    description: 'What is in use, and what needs attention, as far as the caller may see it.',
  });

export const overviewResponseSchema = z
  .object({ overview: overviewSchema })
  .register(components, { id: 'OverviewResponse' });

export type Overview = z.output<typeof overviewSchema>;
