import { isIP, type LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { expiryOf } from './certificate.ts';
import { EgressError, type EgressErrorReason, toConnectError } from './errors.ts';
import type { HostAddress } from './names/query.ts';

/** Why the service must not connect to an address; `undefined` when it may. */
export type FindDenialReason = (address: string) => EgressErrorReason | undefined;

/** Whether a connection may be opened to a host with these addresses at the moment. Any of them may be dialled. */
export type AdmitAddresses = (addresses: readonly string[]) => boolean;

/** Options of {@link createConnector}. */
export interface ConnectorOptions {
  readonly findDenialReason: FindDenialReason;
  /** Called before each connection. Default: any address that is not denied. */
  readonly admit?: AdmitAddresses | undefined;
  /** Milliseconds for name resolution, TCP and TLS together. */
  readonly connectTimeout: number;
  /** @throws EgressError */
  readonly resolve: (hostname: string) => Promise<readonly HostAddress[]>;
  readonly tlsSession: KeptTlsSession;
  readonly onStep?: NoteStep | undefined;
}

/** How far a new connection has come: TCP is done, then TLS too. */
export type ConnectionStep = 'connected' | 'secured';

/** @param certificateExpiresAt of the server, once the connection is secured */
export type NoteStep = (step: ConnectionStep, certificateExpiresAt?: Date) => void;

/** The TLS session of the last connection, with which the next one begins sooner. */
export interface KeptTlsSession {
  get(): Buffer | undefined;
  keep(session: Buffer): void;
}

/** Milliseconds after which the next address is tried, if there is one (RFC 8305 §5 allows up to 2 s). */
const TRY_NEXT_ADDRESS_AFTER = 500;

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
  const refusalOf = (addresses: readonly string[]): EgressError | undefined => {
    const denial = denialOf(addresses);
    if (denial !== undefined) return denial;
    return options.admit?.(addresses) === false ? new EgressError('denied') : undefined;
  };
  const lookup = checkedLookup(options.resolve, refusalOf);
  // undici's own cache refers to sessions weakly: they are gone with the next garbage collection.
  const connectWithSession = () =>
    buildConnector({
      timeout: options.connectTimeout,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: TRY_NEXT_ADDRESS_AFTER,
      lookup,
      maxCachedSessions: 0,
      session: options.tlsSession.get(),
    });

  return (target, callback) => {
    // Node does not call `lookup` for a literal address.
    const literal = isIP(target.hostname) === 0 ? undefined : refusalOf([target.hostname]);
    if (literal !== undefined) return callback(literal, null);
    // undici returns the socket; its types do not say so.
    const opening: unknown = connectWithSession()(target, (error, socket) => {
      if (error) return callback(toConnectError(error, target.protocol === 'https:'), null);
      const denial = denialOf([socket.remoteAddress ?? '']);
      if (denial === undefined) {
        if (socket instanceof TLSSocket) {
          options.onStep?.('secured', expiryOf(socket));
          keepSession(socket, options.tlsSession);
        }
        return callback(null, socket);
      }
      socket.on('error', () => undefined).destroy();
      callback(denial, null);
    });
    if (opening instanceof Socket) opening.once('connect', () => options.onStep?.('connected'));
  };
}

/** TLS 1.2 has a session when the handshake is done; TLS 1.3 sends them afterwards. */
function keepSession(socket: TLSSocket, kept: KeptTlsSession): void {
  const session = socket.getProtocol() === 'TLSv1.3' ? undefined : socket.getSession();
  if (session !== undefined) kept.keep(session);
  socket.on('session', (later) => kept.keep(later));
}

function checkedLookup(
  resolve: ConnectorOptions['resolve'],
  refusalOf: (addresses: readonly string[]) => EgressError | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    const take = (addresses: readonly HostAddress[]) => {
      const [first] = addresses;
      const refusal =
        first === undefined
          ? new EgressError('unreachable', 'name_not_found')
          : refusalOf(addresses.map(({ address }) => address));
      if (first === undefined || refusal !== undefined) return callback(refusal ?? null, '', 0);
      if (options.all) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    };
    resolve(hostname).then(take, (error) => callback(error, '', 0));
  };
}
