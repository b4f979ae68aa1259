import * as z from 'zod';
import { components } from './components.ts';

/** Why rules about people refuse. */
export const peopleReasonCodes = ['role_or_group', 'person', 'client_credentials'] as const;
export type PeopleReasonCode = (typeof peopleReasonCodes)[number];

/** Why rules refuse. A code that has been released stays. */
export const policyReasonCodes = [
  ...peopleReasonCodes,
  'tool_denied',
  'tool_not_allowed',
  'tool_not_read_only',
  'tool_changed',
  'tool_new',
  'prompt_denied',
  'prompt_not_allowed',
  'resource_denied',
  'resource_not_allowed',
  'method_unknown',
  'task_list_shared',
  'task_tool_unknown',
] as const;
export type PolicyReasonCode = (typeof policyReasonCodes)[number];

/** Where rules are, in the order in which they are judged. `application` is an integration's `perApplication`. */
export const policyLevelNames = ['integration', 'application', 'attachment'] as const;
export type PolicyLevelName = (typeof policyLevelNames)[number];

/** One refusal, and the level that said so. */
export interface PolicyReason<Code extends PolicyReasonCode = PolicyReasonCode> {
  readonly code: Code;
  readonly level: PolicyLevelName;
}

export const policyLevelSchema = z
  .enum(policyLevelNames)
  .describe(
    'Where the rule is: at the integration, at the integration for this application, or at the attachment.',
  );

export const policyReasonSchema: z.ZodType<PolicyReason, PolicyReason> = z
  .object({
    code: z.enum(policyReasonCodes).describe('What refuses.'),
    level: policyLevelSchema,
  })
  .register(components, { id: 'PolicyReason', description: 'Why rules refuse.' });
