import type { Logger } from 'pino';
import { subjectIdOf } from '../identity/caller.ts';
import type { CallObserver } from './call-record.ts';

/** The status codes by which attempts to guess a token are recognized. */
const REFUSED_CALLERS = new Set([401, 429]);

/**
 * The access log of the gateway. Logs calls at level debug, and at level info, with the client's
 * address, those refused because of their caller.
 */
export function createCallLog(log: Logger): CallObserver {
  const isDebug = log.isLevelEnabled('debug');
  // The fields are a closed list without secrets.
  const lines = log.child({}, { redact: [] });
  return {
    ended(record) {
      const isRefused = REFUSED_CALLERS.has(record.status);
      if (!isRefused && !isDebug) return;
      const { requestId, method, era, outcome, status, ms } = record;
      const { caller, applicationId, integrationId, address } = record;
      const userId = caller && subjectIdOf(caller);
      const ids = { userId, applicationId, integrationId };
      const fields = { requestId, method, era, outcome, status, ms, ...ids };
      if (isRefused) lines.info({ ...fields, address }, 'call');
      else lines.debug(fields, 'call');
    },
  };
}
