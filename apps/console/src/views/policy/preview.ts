import type { WhatIfEdge, WhatIfPerson, WhatIfResponse } from '@gatehouse/sdk';
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
  const shown = names.slice(0, NAMED);
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
    .map(([id, own]) => `${nameOf(id)}: ${firstOf(own.map(({ userId }) => nameOf(userId)))}`);
  const others = groups.length - lines.length;
  return [
    {
      title: `${who} ${distinct === 1 && isAll ? verbs[0] : verbs[1]} the use of it`,
      lines:
        others > 0
          ? [...lines, `and in ${counted(others, 'more application', 'more applications')}`]
          : lines,
    },
  ];
}

function toolsPart({ changed, total }: WhatIfResponse['tools'], nameOf: NameOf): PreviewPart[] {
  if (total === 0) return [];
  const lines = changed
    .slice(0, NAMED)
    .map(
      ({ applicationId, allowed: { before, after }, total: all }) =>
        `${nameOf(applicationId)}: ${figures.format(after)} of ${figures.format(all)} tools, ${figures.format(before)} until now`,
    );
  const others = total - lines.length;
  return [
    {
      title: `Another number of tools in ${counted(total, 'application', 'applications')}`,
      lines: others > 0 ? [...lines, `and in ${counted(others, 'more', 'more')}`] : lines,
    },
  ];
}

/** What a change would do, as people read it. Empty where nobody gains or loses anything. */
export function previewOf({ people, tools }: WhatIfResponse, nameOf: NameOf): PreviewPart[] {
  return [
    ...peoplePart(people.lost, people.total.lost, ['loses', 'lose'], nameOf),
    ...peoplePart(people.gained, people.total.gained, ['gains', 'gain'], nameOf),
    ...toolsPart(tools, nameOf),
  ];
}
