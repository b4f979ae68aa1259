import { group, groupPolicy, member, page } from '../examples/resources.ts';
import { memberPageSchema } from '../members/members.schema.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { pageQuerySchema } from '../shared/pagination.ts';
import {
  createGroupBodySchema,
  groupMemberParamsSchema,
  groupPageSchema,
  groupPoliciesResponseSchema,
  groupResponseSchema,
  listGroupsQuerySchema,
  updateGroupBodySchema,
} from './groups.schema.ts';

export const groupsContract = c.router(
  {
    create: {
      ...endpoint(routes.groups.create, {
        isVersioned: true,
        codes: ['group_name_taken', 'group_limit_reached'],
        requestExample: { name: 'Support' },
        responseExample: { group },
      }),
      summary: 'Create a group',
      description: 'At most 1,000 groups.',
      body: createGroupBodySchema,
      responses: { 201: groupResponseSchema },
    },
    list: {
      ...endpoint(routes.groups.list, { responseExample: page(group) }),
      summary: 'List groups',
      description: 'Newest first: for admins and owners all, for a member those they are in.',
      query: listGroupsQuerySchema,
      responses: { 200: groupPageSchema },
    },
    get: {
      ...endpoint(routes.groups.get, { isVersioned: true, responseExample: { group } }),
      summary: 'Get a group',
      description: 'For a member only a group that they are in; any other does not exist (404).',
      pathParams: idParamsSchema,
      responses: { 200: groupResponseSchema },
    },
    update: {
      ...endpoint(routes.groups.update, {
        isVersioned: true,
        codes: ['group_name_taken'],
        requestExample: { name: 'Customer support' },
        responseExample: { group },
      }),
      summary: 'Rename a group, or say what the identity provider calls it',
      description: 'Its members stay until each of them signs in at the provider again.',
      pathParams: idParamsSchema,
      body: updateGroupBodySchema,
      responses: { 200: groupResponseSchema },
    },
    delete: {
      ...endpoint(routes.groups.delete, {
        isVersioned: true,
        isDeletion: true,
        codes: ['group_in_use'],
      }),
      summary: 'Delete a group',
      description:
        'Refused while a policy names the group; `errors` says where, at most 20 times. ' +
        'Its members stay members of the organization.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
    listMembers: {
      ...endpoint(routes.groups.listMembers, { responseExample: page(member) }),
      summary: 'List who is in a group',
      description: 'Newest member of the organization first.',
      pathParams: idParamsSchema,
      query: pageQuerySchema,
      responses: { 200: memberPageSchema },
    },
    listPolicies: {
      ...endpoint(routes.groups.listPolicies, {
        responseExample: { policies: [groupPolicy], truncated: false },
      }),
      summary: 'List where policies name a group',
      description: `Policies of integrations first, at most ${limits.groupPolicies}. While there is one, the group is not deleted.`,
      pathParams: idParamsSchema,
      responses: { 200: groupPoliciesResponseSchema },
    },
    addMember: {
      ...endpoint(routes.groups.addMember, {
        codes: ['managed_by_provider', 'group_limit_reached'],
      }),
      summary: 'Add a member to a group',
      description: 'Adding them again changes nothing. At most 10,000 members.',
      pathParams: groupMemberParamsSchema,
      body: emptyBodySchema,
      responses: { 204: c.noBody() },
    },
    removeMember: {
      ...endpoint(routes.groups.removeMember, { codes: ['managed_by_provider'] }),
      summary: 'Remove a member from a group',
      description:
        'What they may only do as a member of the group ends at once. Removing them again changes nothing.',
      pathParams: groupMemberParamsSchema,
      responses: { 204: c.noBody() },
    },
  },
  routerOptions,
);
