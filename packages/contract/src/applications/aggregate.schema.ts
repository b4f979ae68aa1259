import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';

export const aggregateModes = ['list', 'search', 'off'] as const;

const fields = {
  mode: z
    .enum(aggregateModes)
    .describe('`list`: its lists have everything. `search`: tools are searched for. `off`: 404.'),
  nameLength: z
    .int()
    .min(limits.aggregateNameLength.min)
    .max(limits.aggregateNameLength.max)
    .describe('Characters of the longest name of a tool or prompt.'),
};

/** How the one URL of an application serves its integrations. */
export const aggregateSchema = z.strictObject(fields).register(components, {
  id: 'Aggregate',
  description: 'How the one URL of an application serves all its integrations.',
});

export const aggregateInputSchema = z.strictObject(fields).partial().register(components, {
  id: 'AggregateInput',
  description: 'What is left out stays as it is.',
});

const countSchema = z.int().min(0);

const listStateSchema = z.enum([
  'ok',
  'partial',
  'stale',
  'late',
  'failed',
  'connect',
  'refused',
  'unread',
]);

const leftOutKindSchema = z.enum(['tool', 'prompt', 'resource', 'resource_template']);

const leftOutReasonSchema = z.enum([
  'name_not_unique',
  'alias_of_another',
  'reserved_name',
  'offered_by_another',
  'entry_too_large',
  'unidentified',
  'ambiguous',
  'needs_task',
]);

const listedIntegrationSchema = z
  .object({
    id: idSchema,
    alias: z.string().describe('What the names of its tools and prompts begin with.'),
    state: listStateSchema.describe(
      '`ok`: listed. `partial`: only the beginning, as it has more than is read. `stale`: from an earlier list, as it does not answer. `late`: has not answered in time. ' +
        '`failed`: gives no list, or an admin must act. `connect`: the caller has to connect an account. ' +
        '`refused`: the caller is no person who could. `unread`: nobody has asked this node for the caller.',
    ),
    counts: z
      .object({
        tools: countSchema.describe('Of its tools.'),
        prompts: countSchema.describe('Of its prompts.'),
        resources: countSchema.describe('Of its resources.'),
        resourceTemplates: countSchema.describe('Of its resource templates.'),
      })
      .describe('How many of each are listed.'),
  })
  .register(components, { id: 'ListedIntegration' });

const leftOutSchema = z
  .object({
    integrationId: idSchema,
    kind: leftOutKindSchema,
    name: z
      .string()
      .nullable()
      .describe(
        'As the integration names it, or the URI, cut at ' +
          `${limits.leftOutName} characters; null where it has no name.`,
      ),
    reason: leftOutReasonSchema.describe(
      '`name_not_unique`: another one has the same name at the URL. `alias_of_another`: its name begins like those of ' +
        'another integration. `reserved_name`: it begins like those of Gatehouse. `offered_by_another`: an integration ' +
        'that was attached earlier has the same URI, or it is a page (`ui://`) that a tool of another integration names or ' +
        'may name. `entry_too_large`: more than 1 MiB. `unidentified`: no usable name ' +
        'or URI. `ambiguous`: clients could read it differently. `needs_task`: a tool that runs as a task only.',
    ),
  })
  .register(components, { id: 'LeftOutEntry' });

/** What the one URL of an application lists for one person. */
export const aggregateStateSchema = z
  .object({
    integrations: z
      .array(listedIntegrationSchema)
      .describe('Those that the caller may use there, in the order of attaching.'),
    leftOut: z
      .array(leftOutSchema)
      .max(limits.leftOut)
      .describe('What integrations offer and the URL does not; at most 1,000.'),
  })
  .register(components, {
    id: 'AggregateState',
    description: 'What the one URL of an application lists for the caller.',
  });

export type AggregateMode = (typeof aggregateModes)[number];
export type Aggregate = z.output<typeof aggregateSchema>;
export type AggregateInput = z.input<typeof aggregateInputSchema>;
export type AggregateState = z.output<typeof aggregateStateSchema>;
export type AggregateListState = z.output<typeof listStateSchema>;
export type LeftOutReason = z.output<typeof leftOutReasonSchema>;
