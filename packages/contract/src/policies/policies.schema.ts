import * as z from 'zod';
import { memberRoleSchema } from '../members/members.schema.ts';
import { toolPins } from '../rules/policy/policy-rules.ts';
import { components } from '../shared/components.ts';
import { idParamSchema } from '../shared/ids.ts';
import { isJsonObject } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { atMost, isStorable } from '../shared/text.ts';
import { setSchema, withAtMost } from '../shared/unique.ts';
import { callLimitsSchema } from './call-limits.schema.ts';

function patternsSchema(maxLength: number) {
  const pattern = atMost(z.string().min(1), maxLength).refine(
    isStorable,
    'Must not contain U+0000 or half a surrogate pair.',
  );
  return setSchema(pattern, limits.policyItems);
}

function nameRulesShape(maxLength: number) {
  return {
    allow: patternsSchema(maxLength).optional().describe('Nothing else may be used.'),
    deny: patternsSchema(maxLength).optional().describe('May not be used, even if allowed.'),
  };
}

const namePatternsSchema = z
  .strictObject(nameRulesShape(limits.policyPattern))
  .register(components, {
    id: 'NameRules',
    description: 'Patterns of names: `*` stands for any run of characters, also an empty one.',
  });

const toolRulesSchema = z
  .strictObject({
    ...nameRulesShape(limits.policyPattern),
    readOnly: z
      .boolean()
      .optional()
      .describe('If true, only tools that say of themselves that they change nothing may be used.'),
    pinned: z
      .enum(toolPins)
      .optional()
      .describe(
        'Only tools as an admin approved them may be used. `definition`: with the same ' +
          'fingerprint; `schema`: title and description of the tool may differ.',
      ),
  })
  .register(components, {
    id: 'ToolRules',
    description: 'Which tools may be used: by patterns of their names, and by their definitions.',
  });

/** Duplicates are kept, so that the pointer of an error is the position in the request. */
function idsSchema() {
  return withAtMost(z.array(idParamSchema), limits.policyItems);
}

const shape = {
  roles: setSchema(memberRoleSchema, memberRoleSchema.options.length)
    .optional()
    .describe('Members with one of these roles may.'),
  groups: idsSchema().optional().describe('Members of one of these groups may.'),
  userIds: idsSchema().optional().describe('These members may.'),
  tools: toolRulesSchema.optional(),
  prompts: namePatternsSchema.optional(),
  resources: z
    .strictObject(nameRulesShape(limits.policyResourcePattern))
    .optional()
    .describe('Patterns of URIs.'),
};

/** Who may use an attachment, which parts of it, and how often. `roles`, `groups` and `userIds` work as one list: one match is enough. */
export const policySchema = z
  .strictObject({
    ...shape,
    limits: callLimitsSchema
      .optional()
      .describe('How often each person may; an application that acts for itself counts as one.'),
  })
  .register(components, {
    id: 'Policy',
    description:
      'Who may use an integration, what of it, and how often. What is absent restricts nothing; an empty list allows nobody, or nothing.',
  });

/** The rules of an integration, with further ones for single applications. */
export const integrationPolicySchema = z
  .strictObject({
    ...shape,
    limits: callLimitsSchema.optional().describe('How often all callers together may.'),
    perApplication: applicationsSchema()
      .optional()
      .describe('Further rules, for what these applications may use of it. At most 100.'),
  })
  .register(components, {
    id: 'IntegrationPolicy',
    description: 'Rules that bind every application with the integration.',
  });

/** Rules by application id. The ids are counted before they are parsed. No id may occur twice, in whatever case. */
function applicationsSchema(): z.ZodType<Record<string, Policy>, Record<string, PolicyInput>> {
  return z.preprocess(
    (input, context) => {
      if (!isJsonObject(input)) return input;
      const names = Object.keys(input);
      if (names.length > limits.policyApplications) {
        const message = `Must not have more than ${limits.policyApplications} properties.`;
        context.addIssue({ code: 'custom', message });
      } else if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
        context.addIssue({ code: 'custom', message: 'Must not have an application twice.' });
      } else if (names.includes('__proto__')) {
        const message = 'Must not have this name.';
        context.addIssue({ code: 'custom', path: ['__proto__'], message });
      }
      return input;
    },
    z.record(idParamSchema, policySchema),
  );
}

export const policyResponseSchema = z
  .object({ policy: policySchema })
  .register(components, { id: 'PolicyResponse' });
export const integrationPolicyResponseSchema = z
  .object({ policy: integrationPolicySchema })
  .register(components, { id: 'IntegrationPolicyResponse' });

/** Null clears the rules, as `{}` does. */
export const putPolicyBodySchema = policySchema
  .nullable()
  .register(components, { id: 'PutPolicyBody' });
export const putIntegrationPolicyBodySchema = integrationPolicySchema
  .nullable()
  .register(components, { id: 'PutIntegrationPolicyBody' });

export type ToolRulesInput = z.input<typeof toolRulesSchema>;
export type NameRulesInput = z.input<typeof namePatternsSchema>;
export type Policy = z.output<typeof policySchema>;
export type PolicyInput = z.input<typeof policySchema>;
export type IntegrationPolicy = z.output<typeof integrationPolicySchema>;
export type IntegrationPolicyInput = z.input<typeof integrationPolicySchema>;
