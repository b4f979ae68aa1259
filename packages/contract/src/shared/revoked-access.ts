import * as z from 'zod';
import { components } from './components.ts';

const countSchema = z.int().nonnegative();

/** What has ended, by kind. Only what still worked is counted. */
export const revokedAccessSchema = z
  .object({
    tokens: countSchema.describe(
      'Access and refresh tokens; of a member also personal access tokens and invitations.',
    ),
    grants: countSchema.describe('What people had allowed clients to do.'),
    consents: countSchema.describe('Remembered consents.'),
    sessions: countSchema.describe('Open sessions.'),
    leases: countSchema.describe('Leases of credentials that were handed out and still lasted.'),
    streams: countSchema.describe('Of these sessions, those with a stream or request in flight.'),
  })
  .register(components, {
    id: 'RevokedAccess',
    description: 'How many of each have ended. What had ended before is not counted.',
  });

/** The receipt of a revocation. */
export const revokeAccessResponseSchema = z
  .object({ revoked: revokedAccessSchema })
  .register(components, { id: 'RevokeAccessResponse' });

export type RevokedAccess = z.output<typeof revokedAccessSchema>;
export type RevokeAccessResponse = z.output<typeof revokeAccessResponseSchema>;
