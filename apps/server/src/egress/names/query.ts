import { Resolver } from 'node:dns/promises';

/** An address of a host, as node:net wants it. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a name, in order of preference. There is at least one. */
export interface Addresses {
  readonly addresses: readonly HostAddress[];
  /** Seconds that they may be kept. */
  readonly ttl: number;
}

/**
 * Why a name has no addresses: there is no such name or record, the server failed, or it did not
 * answer.
 */
export type NoAddresses = 'not_found' | 'failed' | 'silent';

/** Milliseconds until a query is repeated for the first time; then twice that, and so on. */
const REPEAT_AFTER = 1_000;
const TRIES = 3;

/** RFC 8305 §3 (Resolution Delay): how long the second family is waited for, in milliseconds. */
const WAIT_FOR_OTHER_FAMILY = 50;

interface Question {
  /** In full, without a final dot. */
  readonly name: string;
  /** `address:port`; default: the system's name servers. */
  readonly servers: readonly string[] | undefined;
  /** Aborted at the deadline, after which the answer is `silent`. */
  readonly signal: AbortSignal;
}

/**
 * Asks for the IPv4 and IPv6 addresses of a name at once. c-ares does not use libuv's threads, so a
 * silent name server delays nothing else. Each question gets a new resolver, which can be cancelled and
 * knows the current name servers.
 */
export async function queryAddresses(question: Question): Promise<Addresses | NoAddresses> {
  const { name, servers, signal } = question;
  const resolver = new Resolver({ timeout: REPEAT_AFTER, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const asked = [
      answerOf(resolver.resolve4(name, { ttl: true }), 4),
      answerOf(resolver.resolve6(name, { ttl: true }), 6),
    ];
    const first = await Promise.race(asked);
    if (typeof first === 'string') await Promise.all(asked);
    return together(await Promise.all(asked.map(soon)));
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

type Answer = Addresses | NoAddresses;

async function answerOf(
  asked: Promise<readonly { address: string; ttl: number }[]>,
  family: HostAddress['family'],
): Promise<Answer> {
  try {
    const records = await asked;
    if (records.length === 0) return 'not_found';
    const addresses = records.map(({ address }) => ({ address, family }));
    return { addresses, ttl: Math.min(...records.map(({ ttl }) => ttl)) };
  } catch (error) {
    return REASONS[codeOf(error)] ?? 'failed';
  }
}

const REASONS: Readonly<Record<string, NoAddresses>> = {
  ENOTFOUND: 'not_found',
  ENODATA: 'not_found',
  EBADNAME: 'not_found',
  ETIMEOUT: 'silent',
  ECANCELLED: 'silent',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What has come by now, or comes within the short time that is waited for the other family. */
async function soon(asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, WAIT_FOR_OTHER_FAMILY, 'silent');
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** IPv4 comes first: where IPv6 does not work, a connection need not wait for it to fail. */
function together(answers: readonly Answer[]): Answer {
  const usable = answers.filter((answer) => typeof answer !== 'string');
  if (usable.length > 0) {
    const addresses = usable.flatMap((answer) => answer.addresses);
    return { addresses, ttl: Math.min(...usable.map(({ ttl }) => ttl)) };
  }
  if (answers.includes('silent')) return 'silent';
  return answers.includes('failed') ? 'failed' : 'not_found';
}
