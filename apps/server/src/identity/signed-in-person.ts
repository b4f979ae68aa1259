import type { Role } from '../generated/prisma/enums.ts';

/** Who is signed in with a browser. */
export interface SignedInPerson {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}
