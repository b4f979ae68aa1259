import type { PolicyReason } from '@gatehouse/contract';

/** What writes the lines. */
export interface RefusalLog {
  info(fields: object, message: string): void;
}

/** What rules have refused, and to whom. Holds ids and codes, and nothing that a client has sent. */
export interface Refusal {
  readonly requestId: string;
  /** Of HTTP. */
  readonly method: string;
  /** Of the person or application that calls. */
  readonly userId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly reasons: readonly PolicyReason[];
}

/**
 * Writes down a refusal by rules about people, about names, or of a credential. All of them come here, once for each
 * request, however many messages it has.
 */
export function logRefusal(log: RefusalLog, refusal: Refusal): void {
  const { requestId, method, userId, applicationId, integrationId } = refusal;
  const reasons = [...new Set(refusal.reasons.map(({ code, level }) => `${level}: ${code}`))];
  const ids = { userId, applicationId, integrationId };
  log.info({ requestId, method, ...ids, reasons }, 'refused by policy');
}
