import type { PolicyLevel, PolicyLevelName } from './policy-rules.ts';

/** Why rules refuse. A code that has been released stays. */
export const policyReasonCodes = [
  'role_or_group',
  'person',
  'client_credentials',
  'tool_denied',
  'tool_not_allowed',
  'prompt_denied',
  'prompt_not_allowed',
  'resource_denied',
  'resource_not_allowed',
  'method_unknown',
  'task_list_shared',
] as const;
export type PolicyReasonCode = (typeof policyReasonCodes)[number];

/** One refusal, and the level that said so. */
export interface PolicyReason {
  readonly code: PolicyReasonCode;
  readonly level: PolicyLevelName;
}

/** What has not been refused. */
export const NO_REASONS: readonly PolicyReason[] = Object.freeze([]);

/** The refusals of all levels, in their order; empty when everyone allows. */
export function reasonsOf(
  levels: readonly PolicyLevel[],
  refusalOf: (level: PolicyLevel) => PolicyReasonCode | undefined,
): readonly PolicyReason[] {
  let reasons: PolicyReason[] | undefined;
  for (const level of levels) {
    const code = refusalOf(level);
    if (code === undefined) continue;
    reasons ??= [];
    reasons.push({ code, level: level.level });
  }
  return reasons ?? NO_REASONS;
}

/** What is refused and who can change that, in two sentences for the person who meets it. */
export function policyReasonMessage({ code, level }: PolicyReason): string {
  return `${SENTENCES[code]} ${WHO_CAN_CHANGE[level]}`;
}

const SENTENCES: Readonly<Record<PolicyReasonCode, string>> = {
  role_or_group: 'This integration is limited to people with other roles or groups.',
  person: 'This integration is limited to certain people.',
  client_credentials:
    'This integration is limited to people, and an application is calling for itself.',
  tool_denied: 'A rule denies this tool.',
  tool_not_allowed: 'No rule allows this tool.',
  prompt_denied: 'A rule denies this prompt.',
  prompt_not_allowed: 'No rule allows this prompt.',
  resource_denied: 'A rule denies this resource.',
  resource_not_allowed: 'No rule allows this resource.',
  method_unknown: 'Gatehouse does not know this method, so it cannot apply the rules to it.',
  task_list_shared: 'This list would show the tasks of everyone who uses the integration.',
};

const WHO_CAN_CHANGE: Readonly<Record<PolicyLevelName, string>> = {
  integration: 'An admin can change this.',
  application: 'An admin can change this.',
  attachment: 'The owner of the application or an admin can change this.',
};
