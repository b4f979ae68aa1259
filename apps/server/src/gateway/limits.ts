/** Bounds of a call; bytes and milliseconds. Tests lower them. */
export interface GatewayLimits {
  readonly requestBytes: number;
  /** A body of declared length up to this size is read before it is sent, and kept; others are not. */
  readonly keptBytes: number;
  /** How long a client may send nothing while its body is read only to refuse the call in its terms. */
  readonly bodySilence: number;
  /** How long the rest of an upstream's refusal is read, so that its connection can be used again. */
  readonly discardWithin: number;
  /** Of a response that is no event stream. */
  readonly responseBytes: number;
  /** Waiting for the client before the upstream is paused. */
  readonly bufferedBytes: number;
  /** From a call's arrival to the end of its response, or to the head of its event stream. */
  readonly callDeadline: number;
  /** How long calls in flight may go on once the gateway closes. */
  readonly closeDeadline: number;
}

export const defaultLimits: GatewayLimits = {
  requestBytes: 16 * 1024 * 1024,
  keptBytes: 256 * 1024,
  bodySilence: 5_000,
  discardWithin: 5_000,
  responseBytes: 64 * 1024 * 1024,
  bufferedBytes: 128 * 1024,
  callDeadline: 10 * 60_000,
  closeDeadline: 25_000,
};
