import * as z from 'zod';

const countSchema = z.int().nonnegative();

/** What has ended, by kind. Only what still worked is counted. */
export const revokedAccessSchema = z.object({
  tokens: countSchema.describe(
    'Access and refresh tokens; of a member also personal access tokens and invitations.',
  ),
  grants: countSchema.describe('What people had allowed clients to do.'),
  consents: countSchema.describe('Remembered consents.'),
  sessions: countSchema.describe('Open sessions.'),
  streams: countSchema.describe('Of these sessions, those with a stream or request in flight.'),
});

/** The receipt of a revocation. */
export const revokeAccessResponseSchema = z.object({ revoked: revokedAccessSchema });

export type RevokedAccess = z.output<typeof revokedAccessSchema>;
export type RevokeAccessResponse = z.output<typeof revokeAccessResponseSchema>;
