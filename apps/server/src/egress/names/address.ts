/** An address of a host, as node:net wants it. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a name, in order of preference. There is at least one. */
export interface Addresses {
  readonly addresses: readonly HostAddress[];
  /** Seconds for which they may be kept. */
  readonly ttl: number;
}
