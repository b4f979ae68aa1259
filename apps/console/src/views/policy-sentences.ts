import { memberRoleLabels } from '@gatehouse/contract';
import type { Policy } from '@gatehouse/sdk';
import { labelOf } from '../api/labels.ts';

const words = new Intl.ListFormat('en', { type: 'conjunction' });

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function peopleSentence({ roles, groups, userIds }: Policy): string | undefined {
  if (roles === undefined && groups === undefined && userIds === undefined) return undefined;
  const named = [
    ...(roles ?? []).map(
      (role) => `everyone with the role ${labelOf(memberRoleLabels, role).toLowerCase()}`,
    ),
    ...(groups?.length ? [`the members of ${counted(groups.length, 'group', 'groups')}`] : []),
    ...(userIds?.length ? [counted(userIds.length, 'named person', 'named people')] : []),
  ];
  return named.length === 0
    ? 'Nobody may use it.'
    : `Only these may use it: ${words.format(named)}.`;
}

interface NameRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

function nameSentences(kind: string, { allow, deny }: NameRules = {}): string[] {
  const sentences: string[] = [];
  if (allow?.length === 0) sentences.push(`No ${kind} may be used.`);
  else if (allow) sentences.push(`Only these ${kind} may be used: ${words.format(allow)}.`);
  if (deny?.length) sentences.push(`These ${kind} are denied: ${words.format(deny)}.`);
  return sentences;
}

/** What the rules of a policy say, one sentence for each. Empty where nothing is restricted. */
export function policySentences(policy: Policy): string[] {
  const { tools, prompts, resources } = policy;
  const people = peopleSentence(policy);
  return [
    ...(people === undefined ? [] : [people]),
    ...nameSentences('tools', tools),
    ...(tools?.readOnly ? ['Only tools that say of themselves that they change nothing.'] : []),
    ...(tools?.pinned ? ['Only tools as an admin approved them.'] : []),
    ...nameSentences('prompts', prompts),
    ...nameSentences('resources', resources),
  ];
}
