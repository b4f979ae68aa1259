import * as z from 'zod';
import { memberRoleSchema } from '../members/members.schema.ts';
import {
  putIntegrationPolicyBodySchema,
  putPolicyBodySchema,
} from '../policies/policies.schema.ts';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { withAtMost } from '../shared/unique.ts';

function kindSchema<Kind extends string>(kind: Kind) {
  return z.literal(kind).describe('What would be done.');
}

const pairShape = { applicationId: idParamSchema, integrationId: idParamSchema };

const rowShape = {
  applicationId: idParamSchema.optional(),
  integrationId: idParamSchema.optional(),
};

interface RowIds {
  readonly applicationId?: string | undefined;
  readonly integrationId?: string | undefined;
}

const namesOne = ({ applicationId, integrationId }: RowIds) =>
  (applicationId === undefined) !== (integrationId === undefined);

const oneRow = { message: 'Must have either applicationId or integrationId.' };

const whatIfChangeSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: kindSchema('attach'), ...pairShape }),
    z.strictObject({ kind: kindSchema('detach'), ...pairShape }),
    z.strictObject({
      kind: kindSchema('attachment_policy'),
      ...pairShape,
      policy: putPolicyBodySchema.describe('All rules of the attachment.'),
    }),
    z.strictObject({
      kind: kindSchema('integration_policy'),
      integrationId: idParamSchema,
      policy: putIntegrationPolicyBodySchema.describe('All rules of the integration.'),
    }),
    z.strictObject({ kind: kindSchema('archive'), ...rowShape }).refine(namesOne, oneRow),
    z.strictObject({ kind: kindSchema('restore'), ...rowShape }).refine(namesOne, oneRow),
    z
      .strictObject({
        kind: kindSchema('member'),
        userId: idParamSchema,
        role: memberRoleSchema.optional(),
        groupIds: withAtMost(z.array(idParamSchema), limits.groups)
          .optional()
          .describe('All groups that they would be in.'),
        removed: z.literal(true).optional().describe('They would be no member. Alone.'),
      })
      .refine(
        ({ role, groupIds, removed }) =>
          removed === undefined || (role === undefined && groupIds === undefined),
        { message: 'Must not have a role or groups with removed.' },
      ),
  ])
  .register(components, {
    id: 'WhatIfChange',
    description: 'What an operation of the API would change.',
  });

export const whatIfBodySchema = z
  .strictObject({
    changes: withAtMost(z.array(whatIfChangeSchema).min(1), limits.whatIfChanges).describe(
      'One after another, each after those before it. At most 100.',
    ),
  })
  .register(components, { id: 'WhatIfBody' });

const pairSchema = z.object({ applicationId: idSchema, integrationId: idSchema });
const personSchema = pairSchema.extend({ userId: idSchema });
const toolSchema = pairSchema.extend({ name: z.string().describe('Of the tool.') });
const countSchema = z.int().min(0);
const totalSchema = z
  .object({
    gained: countSchema.describe('How many are gained.'),
    lost: countSchema.describe('How many are lost.'),
  })
  .describe('All of them, named or not.');

const named = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.whatIfNamed);

/** What is gained and lost, of one kind. */
const comparedSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    gained: named(item).describe('What is gained, at most 1,000.'),
    lost: named(item).describe('What is lost, at most 1,000.'),
    total: totalSchema,
  });

export const whatIfResponseSchema = z
  .object({
    edges: comparedSchema(pairSchema).describe(
      'What at least one person could use who cannot now, and the reverse; an edge may be in both.',
    ),
    tools: comparedSchema(toolSchema)
      .extend({
        truncated: z.boolean().describe('Whether a list leaves some out.'),
        changed: named(
          pairSchema.extend({
            allowed: z
              .object({
                before: countSchema.describe('Before the changes.'),
                after: countSchema.describe('After them.'),
              })
              .describe('How many tools rules allow.'),
            total: countSchema.describe('How many tools are catalogued.'),
          }),
        ).describe('Where their number changes, at most 1,000.'),
      })
      .describe(
        'Catalogued tools that rules would allow and do not now, and the reverse; all of them where an integration is attached or detached.',
      ),
    people: comparedSchema(personSchema).describe(
      'Who could use what they cannot now, and the reverse.',
    ),
  })
  .register(components, {
    id: 'WhatIfResponse',
    description: 'What changes would do. Lists name at most 1,000; the totals count all.',
  });

export type WhatIfChange = z.output<typeof whatIfChangeSchema>;
export type WhatIfBody = z.output<typeof whatIfBodySchema>;
export type WhatIfBodyInput = z.input<typeof whatIfBodySchema>;
export type WhatIfResponse = z.output<typeof whatIfResponseSchema>;
