/** Bounds of a call; bytes and milliseconds. Tests lower them. */
export interface GatewayLimits {
  readonly requestBytes: number;
  /** A body up to this size is read before it is sent, and kept; of a longer one only the beginning is. */
  readonly keptBytes: number;
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
  responseBytes: 64 * 1024 * 1024,
  bufferedBytes: 128 * 1024,
  callDeadline: 10 * 60_000,
  closeDeadline: 25_000,
};
