import * as z from 'zod';
import { components } from '../shared/components.ts';
import { jsonObjectSchema } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';

const listed = {
  definition: jsonObjectSchema
    .nullable()
    .describe(
      'As it was listed last, without icons and `_meta`; `null` if it is too large to be shown: more than ' +
        `${limits.listedDefinitionBytes / 1024} KiB or ${limits.bodyDepth} levels.`,
    ),
  listedAt: timestampSchema.describe('When the server began to list it like this.'),
};

const listedPromptSchema = z.object({ name: z.string(), ...listed }).register(components, {
  id: 'ListedPrompt',
  description: 'A prompt of an integration, as a validation listed it last.',
});

const listedResourceKindSchema = z.enum(['resource', 'resource_template']);

const listedResourceSchema = z
  .object({
    kind: listedResourceKindSchema,
    uri: z.string().describe('Of a template, the URI template (RFC 6570).'),
    ...listed,
  })
  .register(components, {
    id: 'ListedResource',
    description:
      'A resource or resource template of an integration, as a validation listed it last.',
  });

export const listedPromptPageSchema = pageSchema(listedPromptSchema).register(components, {
  id: 'ListedPromptPage',
});
export const listedResourcePageSchema = pageSchema(listedResourceSchema).register(components, {
  id: 'ListedResourcePage',
});

export type ListedPrompt = z.output<typeof listedPromptSchema>;
export type ListedResource = z.output<typeof listedResourceSchema>;
