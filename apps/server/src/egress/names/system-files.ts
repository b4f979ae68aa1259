import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { HostAddress } from './query.ts';

/** The names that this machine's administrator has written down: `/etc/hosts`. */
export interface HostsFile {
  /** @param name in lower case, without a final dot. Returns no addresses if the name is not in the file. */
  addressesOf(name: string): Promise<readonly HostAddress[]>;
}

/** Milliseconds between two looks at the file, which orchestrators change while the service runs. */
const LOOK_EVERY = 5_000;

type Hosts = ReadonlyMap<string, readonly HostAddress[]>;

/** A file that cannot be read names nothing. */
export function createHostsFile(path: string): HostsFile {
  let hosts: Promise<Hosts> = Promise.resolve(new Map());
  let version: string | undefined;
  let lookAgainAt = 0;

  const look = async (known: Promise<Hosts>): Promise<Hosts> => {
    const current = await versionOf(path);
    if (current === version) return known;
    version = current;
    return parseHosts(await readFile(path, 'utf8').catch(() => ''));
  };

  return {
    async addressesOf(name) {
      const now = Date.now();
      if (now >= lookAgainAt) {
        lookAgainAt = now + LOOK_EVERY;
        hosts = look(hosts);
      }
      return (await hosts).get(name) ?? [];
    },
  };
}

async function versionOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}

function parseHosts(text: string): Hosts {
  const hosts = new Map<string, HostAddress[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      const known = hosts.get(key);
      if (known === undefined) hosts.set(key, [{ address, family }]);
      else if (!known.some((each) => each.address === address)) known.push({ address, family });
    }
  }
  return hosts;
}

/** How this machine completes names that are not written in full: `/etc/resolv.conf`. */
interface SearchList {
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
