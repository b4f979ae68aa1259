import { group, ids, member, memberAccess, page, revoked } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { revokeAccessResponseSchema } from '../shared/revoked-access.ts';
import { memberAccessResponseSchema } from './access.schema.ts';
import {
  createMemberBodySchema,
  createMemberResponseSchema,
  createSignInLinkBodySchema,
  listMembersQuerySchema,
  memberPageSchema,
  memberResponseSchema,
  removeMemberResponseSchema,
  signInLinkResponseSchema,
  updateMemberBodySchema,
} from './members.schema.ts';

export const membersContract = c.router(
  {
    create: {
      ...endpoint(routes.members.create, {
        codes: ['email_taken', 'secret_no_longer_available'],
        requestExample: { email: 'ada@example.org', name: 'Ada', role: 'member' },
        responseExample: {
          member,
          invitation: 'gh_inv_EXAMPLE',
          invitationUrl: 'https://gatehouse.example/sign-in/link/EXAMPLE',
        },
      }),
      summary: 'Add a member and get an invitation for them',
      description:
        'The invitation is a bearer token that works once, for seven days; its URL is the same for ' +
        'a person with a browser.',
      body: createMemberBodySchema,
      responses: { 201: createMemberResponseSchema },
    },
    list: {
      ...endpoint(routes.members.list, { responseExample: page(member) }),
      summary: 'List the members of the organization',
      description: 'Newest first; with `groupId` those who are in that group.',
      query: listMembersQuerySchema,
      responses: { 200: memberPageSchema },
    },
    update: {
      ...endpoint(routes.members.update, {
        codes: ['last_owner'],
        requestExample: { role: 'admin' },
        responseExample: { member },
      }),
      summary: 'Change the name or role of a member',
      description: 'Only owners grant or remove the role owner, or change an owner.',
      pathParams: idParamsSchema,
      body: updateMemberBodySchema,
      responses: { 200: memberResponseSchema },
    },
    remove: {
      ...endpoint(routes.members.remove, {
        codes: ['last_owner'],
        responseExample: {
          applications: [{ id: ids.application, name: 'Editor' }],
          groups: [{ id: group.id, name: group.name }],
        },
      }),
      summary: 'Remove a member',
      description:
        'The member’s tokens, grants, sessions, connections and places in groups end at once. The ' +
        'applications stay; the answer names those with a secret that the member may know.',
      pathParams: idParamsSchema,
      responses: { 200: removeMemberResponseSchema },
    },
    revokeAccess: {
      ...endpoint(routes.members.revokeAccess, { responseExample: { revoked } }),
      summary: 'End all access of a member, without removing them',
      description:
        'Tokens, the one of the request too if it is theirs, grants, remembered consents and ' +
        'browser sessions are deleted, and open sessions revoked. For admins and owners, and for ' +
        'oneself; only for owners where the member is an owner.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: revokeAccessResponseSchema },
    },
    createSignInLink: {
      ...endpoint(routes.members.createSignInLink, {
        hasLocation: false,
        codes: ['secret_no_longer_available'],
        requestExample: { purpose: 'reset' },
        responseExample: {
          url: 'https://gatehouse.example/sign-in/link/EXAMPLE',
          expiresAt: '2026-11-21T10:30:00.000Z',
        },
      }),
      summary: 'Make a link with which a member chooses a password',
      description:
        'Works once: an invitation for seven days, a reset for one hour. A former link of the same ' +
        'purpose stops working. Only owners make one for an owner.',
      pathParams: idParamsSchema,
      body: createSignInLinkBodySchema,
      responses: { 201: signInLinkResponseSchema },
    },
    getAccess: {
      ...endpoint(routes.members.getAccess, { responseExample: { access: memberAccess } }),
      summary: 'Get what ends when a member is removed',
      description: 'And what stays. Counts, and the newest of each by name.',
      pathParams: idParamsSchema,
      responses: { 200: memberAccessResponseSchema },
    },
  },
  routerOptions,
);
