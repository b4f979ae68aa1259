import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import {
  createMemberBodySchema,
  createMemberResponseSchema,
  listMembersQuerySchema,
  memberPageSchema,
  memberResponseSchema,
  updateMemberBodySchema,
} from './members.schema.ts';

export const membersContract = c.router(
  {
    create: {
      ...endpoint(routes.members.create),
      summary: 'Add a member and get an invitation for them',
      description: 'The invitation is a bearer token that works once, for seven days.',
      body: createMemberBodySchema,
      responses: { 201: createMemberResponseSchema },
    },
    list: {
      ...endpoint(routes.members.list),
      summary: 'List the members of the organization',
      query: listMembersQuerySchema,
      responses: { 200: memberPageSchema },
    },
    update: {
      ...endpoint(routes.members.update),
      summary: 'Change the name or role of a member',
      description: 'Only owners grant or remove the role owner, or change an owner.',
      pathParams: idParamsSchema,
      body: updateMemberBodySchema,
      responses: { 200: memberResponseSchema },
    },
    remove: {
      ...endpoint(routes.members.remove),
      summary: 'Remove a member',
      description: 'The member’s tokens, sessions and connections end at once.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
  },
  routerOptions,
);
