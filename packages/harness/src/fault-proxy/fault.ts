/** What happens to the bytes of every connection, old and new, in both directions unless noted. */
export type Fault =
  /** Bytes pass unchanged. */
  | { readonly kind: 'pass' }
  /** Each chunk is delayed by this many milliseconds. */
  | { readonly kind: 'latency'; readonly milliseconds: number }
  /** Connections are accepted and stay open. Everything sent vanishes, the end included. */
  | { readonly kind: 'black-hole' }
  /** Connections are reset (TCP RST); new ones as soon as they are accepted. */
  | { readonly kind: 'reset' }
  /** The connection is closed after the client has received this many more bytes on it. */
  | { readonly kind: 'limit-data'; readonly bytes: number }
  /** This many bytes a second for each connection and direction. */
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Bytes are written in pieces of this size, each in its own packet. */
  | { readonly kind: 'slice'; readonly bytes: number };

/** Cuts the chunk into pieces of at most `size` bytes. */
export function* slices(chunk: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < chunk.length; start += size) {
    yield chunk.subarray(start, start + size);
  }
}
