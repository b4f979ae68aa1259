import type { AuthMode } from '../generated/prisma/enums.ts';

/** Whether each person uses an integration of this mode with a credential of their own. */
export function isPersonalMode(mode: AuthMode): boolean {
  return mode === 'user_token' || mode === 'oauth';
}
