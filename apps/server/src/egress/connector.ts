import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { EgressError, type EgressErrorReason, toDialError } from './errors.ts';

/** Resolves a name to all its addresses, in the order of preference. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** What a connector needs to know. */
export interface ConnectorOptions {
  /** Why an address must not be dialled; `undefined` when it may. */
  readonly refusal: (address: string) => EgressErrorReason | undefined;
  /** Milliseconds for name resolution, TCP and TLS together. */
  readonly connectTimeout: number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll | undefined;
}

/**
 * An undici connector that resolves a name once, refuses it when any of its addresses is not
 * allowed, dials only addresses it checked, and looks at the peer's address once connected.
 * Every error it reports is an {@link EgressError}.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const denialOf = (addresses: readonly string[]): EgressError | undefined => {
    const reason = addresses.map(options.refusal).find((refusal) => refusal !== undefined);
    return reason === undefined ? undefined : new EgressError('denied', reason);
  };
  const connect = buildConnector({
    timeout: options.connectTimeout,
    lookup: checkedLookup(options.resolve ?? systemLookup, denialOf),
  });

  return (target, callback) => {
    // A literal address never reaches the lookup.
    const literal = isIP(target.hostname) === 0 ? undefined : denialOf([target.hostname]);
    if (literal !== undefined) return callback(literal, null);
    connect(target, (error, socket) => {
      if (error) return callback(toDialError(error, target.protocol === 'https:'), null);
      const denial = denialOf([socket.remoteAddress ?? '']);
      if (denial === undefined) return callback(null, socket);
      socket.on('error', () => undefined).destroy();
      callback(denial, null);
    });
  };
}

function checkedLookup(
  resolve: ResolveAll,
  denialOf: (addresses: readonly string[]) => EgressError | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined)
        return callback(new EgressError('unreachable', 'name_not_found'), '', 0);
      const denial = denialOf(addresses.map(({ address }) => address));
      if (denial !== undefined) return callback(denial, '', 0);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
