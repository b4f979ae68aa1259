/** Limits of a call, in bytes and milliseconds. Tests lower them. */
export interface GatewayLimits {
  readonly requestBytes: number;
  /** Of a body that is read whole: to be sent in one piece, or for its messages. Longer ones are streamed. */
  readonly wholeBodyBytes: number;
  /** Of all bodies at once that are kept whole. */
  readonly keptBytesInAll: number;
  /** How long a client may send nothing of a body that is read for its messages: it may itself be waiting. */
  readonly bodySilence: number;
  /** How long the rest of an upstream's 401 is read, so that its connection can be reused. */
  readonly discardWithin: number;
  /** Of a response that is not an event stream. */
  readonly responseBytes: number;
  /** Buffered for the client before the upstream is paused. */
  readonly bufferedBytes: number;
  /** From a call's arrival to the end of its response, or to the head of its event stream. */
  readonly callDeadline: number;
  /** How long the upstream may take to begin the session that a connect session becomes. */
  readonly adoption: number;
  /** How long an event stream may be silent before a comment keeps it alive. */
  readonly keepAlive: number;
  /** Event streams that one session keeps open to listen, on one node. */
  readonly streamsOfSession: number;
  /** Of one person, also at the one URL. */
  readonly streamsOfPerson: number;
  /** How long clients of GET streams should wait before they reconnect when the gateway closes. */
  readonly reconnectAfter: number;
  /** Between two looks for sessions that end because their clients have not used them. */
  readonly unusedEvery: number;
  /** How long calls in flight may continue once the gateway is closing. */
  readonly closeDeadline: number;
}

export const defaultLimits: GatewayLimits = {
  requestBytes: 16 * 1024 * 1024,
  wholeBodyBytes: 256 * 1024,
  keptBytesInAll: 64 * 1024 * 1024,
  bodySilence: 5_000,
  discardWithin: 5_000,
  responseBytes: 64 * 1024 * 1024,
  bufferedBytes: 128 * 1024,
  callDeadline: 10 * 60_000,
  adoption: 30_000,
  keepAlive: 25_000,
  streamsOfSession: 4,
  streamsOfPerson: 64,
  reconnectAfter: 5_000,
  unusedEvery: 15_000,
  closeDeadline: 23_000,
};
