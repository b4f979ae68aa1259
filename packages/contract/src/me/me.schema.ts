import * as z from 'zod';
import { memberRoleSchema } from '../members/members.schema.ts';
import { idSchema } from '../shared/ids.ts';

/** The user a token names. */
export const userSchema = z.object({
  id: idSchema,
  email: z.string(),
  name: z.string(),
  role: memberRoleSchema,
});

export const organizationSchema = z.object({ id: idSchema, name: z.string() });

export const meResponseSchema = z.object({ user: userSchema, organization: organizationSchema });

export type User = z.output<typeof userSchema>;
export type Organization = z.output<typeof organizationSchema>;
export type Me = z.output<typeof meResponseSchema>;
