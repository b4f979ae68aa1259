import { readFile } from 'node:fs/promises';

/** How this machine completes names that are not written in full: `/etc/resolv.conf`. */
export interface SearchList {
  readonly domains: readonly string[];
  /** A name with at least this many dots is first tried as it is. */
  readonly ndots: number;
}

const MAX_NDOTS = 15;

/** A file that cannot be read completes nothing. */
export async function readSearchList(path: string): Promise<SearchList> {
  return parseSearchList(await readFile(path, 'utf8').catch(() => ''));
}

/** resolv.conf(5): of `domain` and `search` the last counts, of `ndots` too. */
function parseSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split(/\r?\n/)) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword === 'search') domains = values;
    if (keyword !== 'options') continue;
    for (const option of values) {
      const [, number] = /^ndots:(\d+)$/.exec(option) ?? [];
      if (number !== undefined) ndots = Math.min(Number(number), MAX_NDOTS);
    }
  }
  return { domains: domains.filter((domain) => domain !== '.'), ndots };
}

/** The full names to ask for, in this order. A final dot says that the name is already full. */
export function fullNamesOf(name: string, { domains, ndots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...completed] : [...completed, name];
}
