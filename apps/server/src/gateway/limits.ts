/** Limits of a call, in bytes and milliseconds. Tests lower them. */
export interface GatewayLimits {
  readonly requestBytes: number;
  /** A body of declared length up to this size is read whole before it is sent; others are streamed. */
  readonly wholeBodyBytes: number;
  /** Of a longer body that is kept while it is sent, in case its message ids are needed. */
  readonly keptBytes: number;
  /** Of all such bodies at once; others are scanned for their ids as they arrive. */
  readonly keptBytesInAll: number;
  /** How long a client may send nothing while its body is read only for message ids. */
  readonly bodySilence: number;
  /** How long the rest of an upstream's 401 is read, so that its connection can be reused. */
  readonly discardWithin: number;
  /** Of a response that is not an event stream. */
  readonly responseBytes: number;
  /** Buffered for the client before the upstream is paused. */
  readonly bufferedBytes: number;
  /** From a call's arrival to the end of its response, or to the head of its event stream. */
  readonly callDeadline: number;
  /** How long an event stream may be silent before a comment keeps it alive. */
  readonly keepAlive: number;
  /** What clients of GET streams are told to wait before they connect again, when the gateway closes. */
  readonly reconnectAfter: number;
  /** How long calls in flight may continue once the gateway is closing. */
  readonly closeDeadline: number;
}

export const defaultLimits: GatewayLimits = {
  requestBytes: 16 * 1024 * 1024,
  wholeBodyBytes: 256 * 1024,
  keptBytes: 2 * 1024 * 1024,
  keptBytesInAll: 64 * 1024 * 1024,
  bodySilence: 5_000,
  discardWithin: 5_000,
  responseBytes: 64 * 1024 * 1024,
  bufferedBytes: 128 * 1024,
  callDeadline: 10 * 60_000,
  keepAlive: 25_000,
  reconnectAfter: 5_000,
  closeDeadline: 23_000,
};
