import * as z from 'zod';
import { components } from '../shared/components.ts';
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

export type AggregateMode = (typeof aggregateModes)[number];
export type Aggregate = z.output<typeof aggregateSchema>;
export type AggregateInput = z.input<typeof aggregateInputSchema>;
