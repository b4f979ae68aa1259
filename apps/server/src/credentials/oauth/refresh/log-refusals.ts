import type { Logger } from 'pino';
import { MinuteBudget } from '../../../platform/minute-budget.ts';
import type { UpstreamOauthError } from '../upstream-error.ts';

/** Lines in a minute of one integration: an outage fails the refresh of every person who has connected. */
const LINES = 5;

/** Logs what a provider said when it did not refresh a grant. What it said nothing about is counted alone. */
export function logRefusals(
  log: Logger,
): (error: UpstreamOauthError, integrationId: string) => void {
  const lines = new MinuteBudget(LINES);
  return ({ code, provider }, integrationId) => {
    const hasWords = provider.error !== undefined || provider.detail !== undefined;
    if (!hasWords || lines.take(integrationId) > 0) return;
    log.warn({ code, ...provider, integrationId }, 'tokens were not refreshed');
  };
}
