import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { EgressError, type EgressErrorReason, toConnectError } from './errors.ts';

/** Resolves a name to all its addresses, in order of preference. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Why the service must not connect to an address; `undefined` when it may. */
export type FindDenialReason = (address: string) => EgressErrorReason | undefined;

/** Options of {@link createConnector}. */
export interface ConnectorOptions {
  readonly findDenialReason: FindDenialReason;
  /** Milliseconds for name resolution, TCP and TLS together. */
  readonly connectTimeout: number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll | undefined;
}

/**
 * An undici connector that resolves a name once, denies it when any of its addresses is not allowed,
 * connects only to checked addresses, and checks the peer's address once more after connecting.
 * Every error that it reports is an {@link EgressError}.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const denialOf = (addresses: readonly string[]): EgressError | undefined => {
    const reasons = addresses.map(options.findDenialReason);
    const reason = reasons.find((found) => found !== undefined);
    return reason === undefined ? undefined : new EgressError('denied', reason);
  };
  const connect = buildConnector({
    timeout: options.connectTimeout,
    lookup: checkedLookup(options.resolve ?? systemLookup, denialOf),
  });

  return (target, callback) => {
    // Node does not call `lookup` for a literal address.
    const literal = isIP(target.hostname) === 0 ? undefined : denialOf([target.hostname]);
    if (literal !== undefined) return callback(literal, null);
    connect(target, (error, socket) => {
      if (error) return callback(toConnectError(error, target.protocol === 'https:'), null);
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
