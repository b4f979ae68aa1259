import type { Situation } from './messages.ts';
import { whyNotNamed, whyNotTemplate } from './names.ts';
import { arePeopleLimited, type Someone, whyKeptOut } from './people.ts';
import {
  areLimited,
  areNamesLimited,
  isAnyLevel,
  type Kind,
  type Reason,
  type Rules,
  refusalsOfLevels,
} from './rules.ts';
import { isCatalogued, type Tool, UNSEEN, type Version, whyToolRefused } from './tools.ts';

export const LISTS = {
  tools: { method: 'tools/list', kind: 'tools', identifier: 'name' },
  prompts: { method: 'prompts/list', kind: 'prompts', identifier: 'name' },
  resources: { method: 'resources/list', kind: 'resources', identifier: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    kind: 'resources',
    identifier: 'uriTemplate',
  },
} as const satisfies Record<string, { method: string; kind: Kind; identifier: string }>;

export type ListKey = keyof typeof LISTS;

/** What a client gets of a list that the upstream lets any cache keep. */
export type Listed =
  | { readonly kind: 'kept_out'; readonly reasons: readonly Reason[] }
  | {
      readonly kind: 'listed';
      readonly names: readonly string[];
      readonly cacheScope: 'public' | 'private';
    };

/** An entry of a list; of a tool also how its server defines it. */
export interface Entry {
  readonly name: string;
  readonly version?: Version;
}

/** A stream may replay any list, so it is read under rules of any kind. */
export function listedOf(
  key: ListKey,
  entries: readonly Entry[],
  someone: Someone,
  situation: Situation & { readonly isStream: boolean },
): Listed {
  const { rules, isStream } = situation;
  const reasons = whyKeptOut(rules, someone);
  if (reasons.length > 0) return { kind: 'kept_out', reasons };
  const isRead = isAnyLevel(rules, (level) =>
    isStream ? areNamesLimited(level) : areLimited(LISTS[key].kind, level),
  );
  const isPrivate = isRead && isAnyLevel(rules, arePeopleLimited);
  return {
    kind: 'listed',
    names: entries.filter((entry) => isShown(key, entry, situation)).map(({ name }) => name),
    cacheScope: isPrivate ? 'private' : 'public',
  };
}

function isShown(key: ListKey, entry: Entry, { rules, tools }: Situation): boolean {
  const { name } = entry;
  if (key === 'tools') {
    const tool = seenAs(tools.get(name) ?? UNSEEN, entry);
    return whyToolRefused(rules, name, tool).length === 0;
  }
  const why = (level: Rules) =>
    key === 'resourceTemplates'
      ? whyNotTemplate(level, name)
      : whyNotNamed(LISTS[key].kind, level, name);
  return refusalsOfLevels(rules, why).length === 0;
}

/** Whether definitions are looked at, so that what is listed becomes what was seen last. */
export function areDefinitionsLimited({ tools = {} }: Rules): boolean {
  return tools.readOnly === true || tools.pinned !== undefined;
}

export function seenAs({ approved }: Tool, { name, version }: Entry): Tool {
  return { latest: isCatalogued(name) ? version : undefined, approved };
}
