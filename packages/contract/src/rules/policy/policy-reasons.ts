import type {
  PolicyLevelName,
  PolicyReason,
  PolicyReasonCode,
} from '../../shared/policy-reason.ts';
import type { PolicyLevel } from './policy-rules.ts';

/** No level refuses. */
export const NO_REASONS: readonly never[] = Object.freeze([]);

/** The refusals of all levels, in their order; empty if every level allows. */
export function reasonsOf<Code extends PolicyReasonCode>(
  levels: readonly PolicyLevel[],
  refusalOf: (level: PolicyLevel) => Code | undefined,
): readonly PolicyReason<Code>[] {
  let reasons: PolicyReason<Code>[] | undefined;
  for (const level of levels) {
    const code = refusalOf(level);
    if (code === undefined) continue;
    reasons ??= [];
    reasons.push({ code, level: level.level });
  }
  return reasons ?? NO_REASONS;
}

/** What is refused and who can change that, in sentences for the person who is refused. */
export function policyMessage(reasons: readonly PolicyReason[]): string {
  const sentences = reasons.flatMap(({ code, level }) => [
    policyReasonSentences[code],
    WHO_CAN_CHANGE[level],
  ]);
  return [...new Set(sentences)].join(' ');
}

/** Why a rule refuses, for the person who is refused. */
export const policyReasonSentences: Readonly<Record<PolicyReasonCode, string>> = {
  role_or_group: 'This integration is limited to people with other roles or groups.',
  person: 'This integration is limited to certain people.',
  client_credentials:
    'This integration is limited to people, and an application is calling for itself.',
  tool_denied: 'A rule denies this tool.',
  tool_not_allowed: 'No rule allows this tool.',
  tool_not_read_only:
    'Only tools that change nothing are allowed, and the server of this tool does not say that it is one.',
  tool_changed: 'This tool has changed since an admin approved it.',
  tool_new: 'No admin has approved this tool yet.',
  prompt_denied: 'A rule denies this prompt.',
  prompt_not_allowed: 'No rule allows this prompt.',
  resource_denied: 'A rule denies this resource.',
  resource_not_allowed: 'No rule allows this resource.',
  method_unknown: 'Gatehouse does not know this method, so it cannot apply the rules to it.',
  task_list_shared: 'This list would show the tasks of everyone who uses the integration.',
  task_tool_unknown:
    'Gatehouse does not know which tool a task is of, so it cannot apply the rules about tools to it.',
};

const WHO_CAN_CHANGE: Readonly<Record<PolicyLevelName, string>> = {
  integration: 'An admin can change this.',
  application: 'An admin can change this.',
  attachment: 'The owner of the application or an admin can change this.',
};
