import * as z from 'zod';
import { latencyBounds } from '../rules/latency.ts';
import {
  usageFault,
  usageGroupings,
  usageIdsOf,
  usageOutcomes,
  usageSteps,
} from '../rules/usage.ts';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { instantSchema, timestampSchema } from '../shared/timestamps.ts';

const countSchema = z.int().nonnegative();

export const usageStepSchema = z.enum(usageSteps);
export const usageGroupingSchema = z.enum(usageGroupings);

/** Ids separated by commas, see {@link usageIdsOf}. */
const idsSchema = z
  .string()
  .refine((text) => z.array(idSchema).max(limits.usageIds).safeParse(usageIdsOf(text)).success, {
    error: `Must be at most ${limits.usageIds} ids, separated by commas.`,
  })
  .optional();

export const usageQuerySchema = z
  .object({
    from: instantSchema,
    to: instantSchema,
    step: usageStepSchema,
    groupBy: usageGroupingSchema.optional(),
    applicationId: idsSchema,
    integrationId: idsSchema,
  })
  .superRefine(({ from, to, ...query }, context) => {
    const fault = usageFault({ ...query, from: Date.parse(from), to: Date.parse(to) });
    if (fault === undefined) return;
    const { parameter, message } = fault;
    context.addIssue({ code: 'custom', path: [parameter], message });
  });

const percentileSchema = (share: number) =>
  z
    .number()
    .nonnegative()
    .nullable()
    .describe(
      `Milliseconds within which ${share} % of the calls ended, from arrival to the end of the response; null without calls. ` +
        `Interpolated between ${latencyBounds.join(', ')}; the largest of these stands for longer calls.`,
    );

const usageTotalSchema = z
  .object({
    calls: countSchema.describe(
      'Messages of clients; each of a batch counts. GET and DELETE count as one.',
    ),
    refusals: countSchema.describe(
      'Those of them that the gateway refused: by rules, for a missing or rejected credential, or for their form.',
    ),
    errors: countSchema.describe('Those that failed in the gateway.'),
    upstreamErrors: countSchema.describe(
      'Those that failed at the MCP server or on the way to it, and its responses of 500 and above.',
    ),
    bytesIn: countSchema.describe('Of the bodies of requests, as far as they were read.'),
    bytesOut: countSchema.describe('Of the bodies of responses.'),
    p50: percentileSchema(50),
    p95: percentileSchema(95),
    p99: percentileSchema(99),
    lastErrorAt: timestampSchema
      .nullable()
      .describe('When the last of the errors and upstream errors ended; null without any.'),
  })
  .register(components, { id: 'UsageTotal' });

const usagePointSchema = usageTotalSchema
  .extend({ at: timestampSchema.describe('When the step begins.') })
  .register(components, { id: 'UsagePoint' });

const usageSeriesSchema = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        'The id of the application, integration or person (for client credentials of the application), the name of the tool, ' +
          `or one of ${usageOutcomes.map((outcome) => `\`${outcome}\``).join(', ')}. Null without \`groupBy\`.`,
      ),
    total: usageTotalSchema.describe(
      'All steps together. Percentiles of steps cannot be added, so they are here too.',
    ),
    points: z.array(usagePointSchema).max(limits.usagePoints).describe('Every step of the span.'),
  })
  .register(components, { id: 'UsageSeries' });

export const usageResponseSchema = z
  .object({
    series: z
      .array(usageSeriesSchema)
      .max(limits.usageSeries)
      .describe(
        `The one with the most calls first. Of more than ${limits.usageSeries}, or than fit into ${limits.usagePointsInAll} points, those with the most calls.`,
      ),
  })
  .register(components, {
    id: 'UsageResponse',
    description: 'How often integrations were called.',
  });

export type UsageResponse = z.output<typeof usageResponseSchema>;
export type UsagePoint = z.output<typeof usagePointSchema>;
export type UsageTotal = z.output<typeof usageTotalSchema>;
export type UsageSeries = z.output<typeof usageSeriesSchema>;
export type UsageQuery = z.output<typeof usageQuerySchema>;
