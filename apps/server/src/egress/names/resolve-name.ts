import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/at-most.ts';
import { EgressError } from '../errors.ts';
import { type Addresses, type HostAddress, type NoAddresses, queryAddresses } from './query.ts';
import { createHostsFile, fullNamesOf, readSearchList } from './system-files.ts';

/**
 * Resolves a name to all its addresses, in order of preference.
 *
 * @param organizationId its concurrent look-ups are limited.
 * @throws EgressError `unreachable`, `timeout`
 */
export type ResolveName = (name: string, organizationId: string) => Promise<readonly HostAddress[]>;

/** The sources of names. Tests use their own name server and files. */
export interface NameOptions {
  /** `address:port`; default: the system's. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** Milliseconds for a look-up, default 5000. */
  readonly deadline?: number;
}

interface Kept {
  readonly found: Addresses | NoAddresses;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** At most this many look-ups in flight for one organization. */
const MAX_LOOKUPS = 64;
const MAX_CACHED = 10_000;

/** In milliseconds. What a name server says is kept as long as it says, up to a minute. */
const MAX_TTL = 60_000;
const KEEP_NOT_FOUND = 5_000;
/** Long enough that calls that come meanwhile do not each wait for the deadline. */
const KEEP_FAILURE = 1_000;

const WINDOWS_HOSTS = 'C:\\Windows\\System32\\drivers\\etc\\hosts';
const HOSTS = process.platform === 'win32' ? WINDOWS_HOSTS : '/etc/hosts';

/** RFC 6761 §6.3: these names are this machine, and no name server is asked. */
const LOCALHOST = /^(?:.+\.)?localhost$/;
const LOOPBACK: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const ERRORS: Readonly<Record<NoAddresses, () => EgressError>> = {
  not_found: () => new EgressError('unreachable', 'name_not_found'),
  failed: () => new EgressError('unreachable', 'name_server_failed'),
  silent: () => new EgressError('timeout', 'name_server_silent'),
};

/**
 * Looks a name up in the hosts file, then at the name servers. One look-up serves everybody who asks
 * for the same name meanwhile.
 */
export function createResolveName(options: NameOptions = {}): ResolveName {
  const { servers, resolvConf = '/etc/resolv.conf', deadline = 5_000 } = options;
  const hosts = createHostsFile(options.hostsFile ?? HOSTS);
  const cache = new LRUCache<string, Kept>(atMost(MAX_CACHED));
  const lookups = new Map<string, Promise<Addresses | NoAddresses>>();
  const perOrganization = new Map<string, number>();

  const lookUp = async (name: string, organizationId: string) => {
    perOrganization.set(organizationId, (perOrganization.get(organizationId) ?? 0) + 1);
    try {
      const found = await queryInFull(name, { servers, resolvConf, deadline });
      const ttl = timeToKeep(found);
      if (ttl > 0) cache.set(name, { found, until: Date.now() + ttl });
      return found;
    } finally {
      lookups.delete(name);
      const left = (perOrganization.get(organizationId) ?? 1) - 1;
      if (left > 0) perOrganization.set(organizationId, left);
      else perOrganization.delete(organizationId);
    }
  };

  const start = (name: string, organizationId: string) => {
    if ((perOrganization.get(organizationId) ?? 0) >= MAX_LOOKUPS) {
      throw new EgressError('unreachable', 'too_many_lookups');
    }
    const lookup = lookUp(name, organizationId);
    lookups.set(name, lookup);
    return lookup;
  };

  return async (hostname, organizationId) => {
    const name = hostname.toLowerCase();
    const local = name.replace(/\.$/, '');
    const listed = await hosts.addressesOf(local);
    if (listed.length > 0) return listed;
    if (LOCALHOST.test(local)) return LOOPBACK;
    const kept = cache.get(name);
    const found =
      kept !== undefined && Date.now() < kept.until
        ? kept.found
        : await (lookups.get(name) ?? start(name, organizationId));
    if (typeof found === 'string') throw ERRORS[found]();
    return found.addresses;
  };
}

/** Asks for the name completed in each way, until one has addresses. The deadline is for all of them. */
async function queryInFull(
  name: string,
  {
    servers,
    resolvConf,
    deadline,
  }: Required<Pick<NameOptions, 'resolvConf' | 'deadline'>> & {
    readonly servers: readonly string[] | undefined;
  },
): Promise<Addresses | NoAddresses> {
  const signal = AbortSignal.timeout(deadline);
  let worst: NoAddresses = 'not_found';
  for (const fullName of fullNamesOf(name, await readSearchList(resolvConf))) {
    const found = await queryAddresses({ name: fullName, servers, signal });
    if (typeof found !== 'string') return found;
    if (found !== 'not_found') worst = found;
    if (signal.aborted) return 'silent';
  }
  return worst;
}

function timeToKeep(found: Addresses | NoAddresses): number {
  if (typeof found !== 'string') return Math.min(found.ttl * 1000, MAX_TTL);
  return found === 'not_found' ? KEEP_NOT_FOUND : KEEP_FAILURE;
}
