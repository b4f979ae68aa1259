import type { MemberRole } from './member.ts';
import type { Open } from './open.ts';

/**
 * Which names may be used. In a pattern, `*` stands for any run of characters, even an empty one. Everything
 * else is literal, and upper and lower case differ.
 */
export interface NameRules {
  /** At most 500 patterns. Nothing else may be used; empty allows nothing. */
  allow?: string[];
  /** At most 500 patterns. What they match may not be used, even if allowed. */
  deny?: string[];
}

/**
 * Which tools may be used: by their names, and by their definitions.
 */
export interface ToolRules extends NameRules {
  /** If true, only tools that say of themselves that they change nothing may be used. */
  readOnly?: boolean;
  /**
   * Only tools as an admin approved them may be used. `definition`: with the same fingerprint;
   * `schema`: title and description of the tool may differ.
   */
  pinned?: Open<'definition' | 'schema'>;
}

/**
 * How many requests may go up. A field that is absent limits nothing.
 */
export interface CallLimits {
  /** 1 to 100,000 requests in one minute of the clock. */
  perMinute?: number;
  /** 1 to 1,000 requests in progress at once. */
  concurrent?: number;
}

/**
 * Who may use an integration, which parts of it, and how often. A field that is absent restricts nothing. `roles`,
 * `groups` and `userIds` work as one list: one match is enough, and an application that acts for itself is
 * refused.
 */
export interface Policy {
  roles?: Open<MemberRole>[];
  groups?: string[];
  userIds?: string[];
  tools?: ToolRules;
  prompts?: NameRules;
  /** Patterns of URIs. */
  resources?: NameRules;
  /** How often each person may; in the rules of an integration: all callers together. */
  limits?: CallLimits;
}

/**
 * The rules of an integration. They apply in every application.
 */
export interface IntegrationPolicy extends Policy {
  /** Further rules for single applications, by their ids; at most 100. */
  perApplication?: Record<string, Policy>;
}

/**
 * A response with the policy of an attachment.
 */
export interface PolicyResponse {
  policy: Policy;
}

/**
 * A response with the policy of an integration.
 */
export interface IntegrationPolicyResponse {
  policy: IntegrationPolicy;
}

/**
 * {@link NameRules} as they are sent.
 */
export interface NameRulesInput {
  /** At most 500 patterns. Nothing else may be used; empty allows nothing. */
  readonly allow?: readonly string[] | undefined;
  /** At most 500 patterns. What they match may not be used, even if allowed. */
  readonly deny?: readonly string[] | undefined;
}

/**
 * {@link ToolRules} as they are sent.
 */
export interface ToolRulesInput extends NameRulesInput {
  /** If true, only tools that say of themselves that they change nothing may be used. */
  readonly readOnly?: boolean | undefined;
  /** Only tools as an admin approved them may be used; with `schema`, title and description may differ. */
  readonly pinned?: 'definition' | 'schema' | undefined;
}

/**
 * {@link CallLimits} as they are sent.
 */
export interface CallLimitsInput {
  /** 1 to 100,000 requests in one minute of the clock. */
  readonly perMinute?: number | undefined;
  /** 1 to 1,000 requests in progress at once. */
  readonly concurrent?: number | undefined;
}

/**
 * Body of `applications.integrations.policy.put`: all rules of the attachment. Members may name only
 * themselves and their own groups.
 */
export interface PolicyInput {
  /** Members with one of these roles may use it. No role includes another. */
  readonly roles?: readonly MemberRole[] | undefined;
  /** Members of one of these groups may use it. */
  readonly groups?: readonly string[] | undefined;
  /** These members may use it. */
  readonly userIds?: readonly string[] | undefined;
  /** Patterns of names, of at most 128 characters, and rules about definitions. */
  readonly tools?: ToolRulesInput | undefined;
  /** Patterns of names, of at most 128 characters. */
  readonly prompts?: NameRulesInput | undefined;
  /** Patterns of URIs, of at most 2,048 characters. */
  readonly resources?: NameRulesInput | undefined;
  /** How often each person may; in the rules of an integration: all callers together. */
  readonly limits?: CallLimitsInput | undefined;
}

/**
 * Body of `integrations.policy.put`: all rules of the integration.
 */
export interface IntegrationPolicyInput extends PolicyInput {
  /** Further rules for single applications, by their ids; at most 100. Their owners cannot change them. */
  readonly perApplication?: Readonly<Record<string, PolicyInput>> | undefined;
}
