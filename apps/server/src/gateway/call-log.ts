import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Era } from '../mcp/era.ts';
import type { Admission } from './admission.ts';
import type { CallOutcome } from './metrics.ts';

export interface CallLogOptions {
  readonly log: Logger;
  /** Percent of the calls that are logged. */
  readonly percent: number;
  /** Of the client. */
  readonly addressOf: (req: IncomingMessage) => string;
}

/** What is logged of a call. */
export interface LoggedCall {
  readonly requestId: string;
  readonly req: IncomingMessage;
  readonly era: Era;
  /** By the clock of `performance`. */
  readonly startedAt: number;
  readonly admission: Admission | undefined;
}

/** The access log of the gateway. */
export interface CallLog {
  /** @param status of the response; 0 when none has begun */
  ended(call: LoggedCall, outcome: CallOutcome, status: number): void;
}

/** Refusals by which attempts at somebody's door are recognized. */
const REFUSED_CALLERS = new Set([401, 429]);

/**
 * Logs calls at level debug when they have ended, and at level info, with the client's address, those that
 * were refused for who their caller is. Lines hold ids, and nothing that a client or an upstream has sent.
 */
export function createCallLog({ log, percent, addressOf }: CallLogOptions): CallLog {
  const isLogged = log.isLevelEnabled('debug') && percent > 0;
  // The fields are a closed list without secrets.
  const lines = log.child({}, { redact: [] });
  return {
    ended(call, outcome, status) {
      const isRefused = REFUSED_CALLERS.has(status);
      if (!isRefused && !(isLogged && Math.random() * 100 < percent)) return;
      const { requestId, req, era, admission } = call;
      const fields = {
        requestId,
        method: req.method,
        era,
        outcome,
        status,
        ms: Math.round(performance.now() - call.startedAt),
        userId: admission?.actor.userId,
        applicationId: admission?.route.applicationId,
        integrationId: admission?.route.integrationId,
      };
      if (isRefused) lines.info({ ...fields, address: addressOf(req) }, 'call');
      else lines.debug(fields, 'call');
    },
  };
}
