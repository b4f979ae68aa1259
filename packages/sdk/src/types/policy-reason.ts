import type { Open } from './open.ts';

/**
 * Why rules refuse.
 */
export type PolicyReasonCode =
  | 'role_or_group'
  | 'person'
  | 'client_credentials'
  | 'tool_denied'
  | 'tool_not_allowed'
  | 'tool_not_read_only'
  | 'tool_changed'
  | 'tool_new'
  | 'prompt_denied'
  | 'prompt_not_allowed'
  | 'resource_denied'
  | 'resource_not_allowed'
  | 'method_unknown'
  | 'task_list_shared'
  | 'task_tool_unknown';

/**
 * One refusal, and the level of the rule that refuses: the integration's rules, its rules for this
 * application, or the attachment's rules.
 */
export interface PolicyReason {
  code: Open<PolicyReasonCode>;
  level: Open<'integration' | 'application' | 'attachment'>;
}
