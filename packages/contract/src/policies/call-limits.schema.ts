import * as z from 'zod';
import { components } from '../shared/components.ts';
import { limits } from '../shared/limits.ts';

/** How many calls there may be. A field that is absent limits nothing. */
export const callLimitsSchema = z
  .strictObject({
    perMinute: z
      .int()
      .min(1)
      .max(limits.callsPerMinute)
      .optional()
      .describe('Requests in one minute of the clock.'),
    concurrent: z
      .int()
      .min(1)
      .max(limits.concurrentCalls)
      .optional()
      .describe('Requests in progress at once.'),
  })
  .register(components, {
    id: 'CallLimits',
    description: 'How many requests may go up. What is absent limits nothing.',
  });

export type CallLimits = z.output<typeof callLimitsSchema>;
export type CallLimitsInput = z.input<typeof callLimitsSchema>;
