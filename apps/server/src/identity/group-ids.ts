import { Prisma } from '../generated/prisma/client.ts';

/**
 * The groups of the user in row `u`, for the statement that finds a caller: admission needs no other one.
 * Whoever changes them announces the member.
 */
export const GROUP_IDS_OF_MEMBER = Prisma.sql`
  ARRAY(SELECT m."groupId"::text FROM "GroupMember" m WHERE m."userId" = u."id" ORDER BY m."groupId")`;
