import type { WhatIfEdge, WhatIfPerson, WhatIfResponse, WhatIfTool } from '@gatehouse/sdk';
import { isolated } from '../../components/with-names.tsx';
import type { NameOf } from '../policy-sentences.ts';

/** Names that are written out; the others are counted. */
const NAMED = 5;
const words = new Intl.ListFormat('en', { type: 'conjunction' });
const figures = new Intl.NumberFormat('en');

export interface PreviewPart {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The first names, and the number of the others. */
function firstOf(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, NAMED).map(isolated);
  const more = total - shown.length;
  return words.format(more > 0 ? [...shown, `${figures.format(more)} more`] : shown);
}

function counted(count: number, one: string, many: string): string {
  return `${figures.format(count)} ${count === 1 ? one : many}`;
}

function byApplication<Item extends WhatIfEdge>(items: readonly Item[]): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    found.set(item.applicationId, [...(found.get(item.applicationId) ?? []), item]);
  }
  return found;
}

/** Those who gain or lose the use of an integration: how many, and the first of each application by their names. */
function peoplePart(
  people: readonly WhatIfPerson[],
  total: number,
  verbs: readonly [one: string, many: string],
  nameOf: NameOf,
): PreviewPart[] {
  if (total === 0) return [];
  const distinct = new Set(people.map(({ userId }) => userId)).size;
  const isAll = people.length === total;
  const who = isAll
    ? counted(distinct, 'person', 'people')
    : `More than ${counted(distinct, 'person', 'people')}`;
  const groups = [...byApplication(people)];
  const lines = groups
    .slice(0, NAMED)
    .map(
      ([id, own]) => `${isolated(nameOf(id))}: ${firstOf(own.map(({ userId }) => nameOf(userId)))}`,
    );
  const others = groups.length - lines.length;
  return [
    {
      title: `${who} ${distinct === 1 && isAll ? verbs[0] : verbs[1]} access`,
      lines:
        others > 0
          ? [...lines, `and in ${counted(others, 'more application', 'more applications')}`]
          : lines,
    },
  ];
}

/** The tools that rules would allow or no longer allow: how many, and the first of each application by their names. */
function toolsPart(
  tools: readonly WhatIfTool[],
  total: number,
  title: string,
  nameOf: NameOf,
): PreviewPart[] {
  if (total === 0) return [];
  const groups = [...byApplication(tools)];
  const lines = groups
    .slice(0, NAMED)
    .map(([id, own]) => `${isolated(nameOf(id))}: ${firstOf(own.map(({ name }) => name))}`);
  const isAll = groups.length === lines.length && tools.length === total;
  return [
    {
      title: `${counted(total, 'tool', 'tools')} ${title}`,
      lines: isAll ? lines : [...lines, 'and in more applications'],
    },
  ];
}

/** What a change would do, as people read it. Empty where nobody gains or loses anything. */
export function previewOf({ people, tools }: WhatIfResponse, nameOf: NameOf): PreviewPart[] {
  return [
    ...peoplePart(people.lost, people.total.lost, ['loses', 'lose'], nameOf),
    ...peoplePart(people.gained, people.total.gained, ['gains', 'gain'], nameOf),
    ...toolsPart(tools.lost, tools.total.lost, 'would be refused', nameOf),
    ...toolsPart(tools.gained, tools.total.gained, 'would be allowed', nameOf),
  ];
}
