/** What happens to the bytes of every connection, old and new, both ways unless said otherwise. */
export type Fault =
  /** Bytes pass as they come. */
  | { readonly kind: 'pass' }
  /** Each chunk is held for so many milliseconds. */
  | { readonly kind: 'latency'; readonly milliseconds: number }
  /** Connections are accepted and stay open; whatever is sent, an end included, vanishes. */
  | { readonly kind: 'black-hole' }
  /** Connections are reset (TCP RST), new ones as soon as they are accepted. */
  | { readonly kind: 'reset' }
  /** The connection is cut after the client has got so many further bytes on it. */
  | { readonly kind: 'limit-data'; readonly bytes: number }
  /** So many bytes a second for each connection and direction. */
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Bytes are written in pieces of this size, each in a packet of its own. */
  | { readonly kind: 'slice'; readonly bytes: number };

/** Cuts the chunk into pieces of at most `size` bytes. */
export function* slices(chunk: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < chunk.length; start += size) {
    yield chunk.subarray(start, start + size);
  }
}
