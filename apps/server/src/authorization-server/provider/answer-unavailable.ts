import type { KoaContextWithOIDC } from 'oidc-provider';
import { ProblemError } from '../../platform/problem-error.ts';

/**
 * Answers 503 where the database cannot be reached, or too much is waiting for it: the client may try
 * again. False for any other error.
 */
export function answerUnavailable(ctx: KoaContextWithOIDC, error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  if (error.code !== 'database_unavailable' && error.code !== 'overloaded') return false;
  ctx.status = 503;
  ctx.set({ 'Retry-After': '1', ...error.headers });
  ctx.body = { error: 'temporarily_unavailable', error_description: error.message };
  return true;
}
