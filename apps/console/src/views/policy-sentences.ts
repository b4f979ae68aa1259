import { memberRoleLabels } from '@gatehouse/contract';
import { labelOf } from '../api/labels.ts';
import { isolated } from '../components/with-names.tsx';

const words = new Intl.ListFormat('en', { type: 'conjunction' });

interface NameRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Rules as a response or a form has them. */
interface Rules {
  readonly roles?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly tools?:
    | (NameRules & {
        readonly readOnly?: boolean | undefined;
        readonly pinned?: string | undefined;
      })
    | undefined;
  readonly prompts?: NameRules | undefined;
  readonly resources?: NameRules | undefined;
  readonly limits?: CallLimits | undefined;
}

interface CallLimits {
  readonly perMinute?: number | undefined;
  readonly concurrent?: number | undefined;
}

/** What a limit counts together: the calls of each person, or of everyone. */
export type Limited = 'person' | 'everyone';

const LIMITED: Readonly<Record<Limited, string>> = {
  person: 'Each person may make',
  everyone: 'Everyone together may make',
};

/** The name of a row that rules name, by its id. */
export type NameOf = (id: string) => string;

function peopleSentence({ roles, groups, userIds }: Rules, nameOf: NameOf): string | undefined {
  if (roles === undefined && groups === undefined && userIds === undefined) return undefined;
  const people = [
    ...(roles ?? []).map(
      (role) => `everyone with the role ${labelOf(memberRoleLabels, role).toLowerCase()}`,
    ),
    ...(groups ?? []).map((id) => `the members of ${isolated(nameOf(id))}`),
    ...(userIds ?? []).map((id) => isolated(nameOf(id))),
  ];
  return people.length === 0
    ? 'Nobody may use it.'
    : `Only these may use it: ${words.format(people)}.`;
}

function nameSentences(kind: string, { allow, deny }: NameRules = {}): string[] {
  const sentences: string[] = [];
  if (allow?.length === 0) sentences.push(`No ${kind} may be used.`);
  else if (allow)
    sentences.push(`Only these ${kind} may be used: ${words.format(allow.map(isolated))}.`);
  if (deny?.length)
    sentences.push(`These ${kind} are denied: ${words.format(deny.map(isolated))}.`);
  return sentences;
}

function limitSentences({ perMinute, concurrent }: CallLimits = {}, limited: Limited): string[] {
  const most = [
    ...(perMinute === undefined ? [] : [`${perMinute.toLocaleString('en')} requests a minute`]),
    ...(concurrent === undefined ? [] : [`${concurrent.toLocaleString('en')} requests at once`]),
  ];
  return most.length === 0 ? [] : [`${LIMITED[limited]} at most ${words.format(most)}.`];
}

/** What the rules of a policy say, one sentence for each, for `WithNames`. Empty where nothing is restricted. */
export function policySentences(policy: Rules, nameOf: NameOf, limited: Limited): string[] {
  const { tools, prompts, resources, limits } = policy;
  const people = peopleSentence(policy, nameOf);
  return [
    ...(people === undefined ? [] : [people]),
    ...nameSentences('tools', tools),
    ...(tools?.readOnly ? ['Only tools that are described as read-only.'] : []),
    ...(tools?.pinned ? ['Only tools that still match what an admin approved.'] : []),
    ...nameSentences('prompts', prompts),
    ...nameSentences('resources', resources),
    ...limitSentences(limits, limited),
  ];
}
