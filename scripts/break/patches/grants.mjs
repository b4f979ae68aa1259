import { serverTest, suiteTest } from '../places.mjs';

const SRC = 'apps/server/src';
const ENDING = 'resources/grants/ending.test.ts';

export const grantsPatches = [
  {
    name: 'grants-outlive-the-application',
    means: 'Tokens of an archived application work again once it is restored.',
    file: `${SRC}/resources/applications/ending.ts`,
    search: '  await endAccessOfApplication(tx.db, id);\n',
    replace: '',
    test: serverTest(
      ENDING,
      'archiving an application > deletes its grants, tokens and consents, and restoring brings none back',
    ),
  },
  {
    name: 'grants-outlive-the-redirect-uri',
    means: 'A client at an address that was taken from the application keeps its access.',
    file: `${SRC}/identity/grants/end-outside-settings.ts`,
    search: '  if (taken.hasUri) ofGrants.push(hasOtherUri(applicationId, after));\n',
    replace: '',
    test: serverTest(
      ENDING,
      'PATCH /applications/:id/oauth > ends the grants of a redirect URI that is taken away',
    ),
  },
  {
    name: 'grants-outlive-the-scope',
    means: 'A scope that an application no longer has goes on in the tokens that were issued.',
    file: `${SRC}/identity/grants/end-outside-settings.ts`,
    search: 'hasScope: without(before.scopes, after.scopes).length > 0,',
    replace: 'hasScope: false,',
    test: serverTest(
      ENDING,
      'PATCH /applications/:id/oauth > ends the grants with a scope that is taken away, and such tokens of the application itself',
    ),
  },
  {
    name: 'grants-by-the-letter',
    means:
      'A resource spelled in another way is taken away from the settings and stays in the grants.',
    file: `${SRC}/identity/resource.ts`,
    search: 'return resource === undefined ? uri : resourceUriOf(publicUrl, resource);',
    replace: 'return resource === undefined ? uri : uri;',
    test: serverTest(
      ENDING,
      'PATCH /applications/:id/oauth > ends the grants for a resource that is taken away, however it was spelled',
    ),
  },
  {
    name: 'grants-of-dynamic-clients-stay',
    means: 'Dynamic clients keep their access when they are no longer allowed.',
    file: `${SRC}/identity/grants/end-outside-settings.ts`,
    search: 'before.allowDynamicClients && !after.allowDynamicClients',
    replace: 'false',
    test: serverTest(
      ENDING,
      'PATCH /applications/:id/oauth > ends the grants of dynamic clients when they are no longer allowed',
    ),
  },
  {
    name: 'grants-keep-detached',
    means:
      'A token still names an integration that was detached, and works when it is attached again.',
    file: `${SRC}/resources/applications/ending.ts`,
    search: 'await detachFromGrants(tx, application, integrationIds);',
    replace: 'await detachFromGrants(tx, application, integrationIds.slice(1));',
    test: serverTest(ENDING, 'detaching an integration > takes its URL from the grants, alone'),
  },
  {
    name: 'grants-of-other-organizations',
    means: 'An admin of one organization ends the grants of another.',
    file: `${SRC}/identity/grants/end-grant.ts`,
    search: `AND "organizationId" = \${organizationId}::uuid`,
    replace: `AND \${organizationId}::uuid IS NOT NULL`,
    test: serverTest(
      'resources/grants/grants.test.ts',
      'DELETE /grants/:id > does not know one of another organization, nor the owner of an application its grants',
    ),
  },
  {
    name: 'grants-of-other-members',
    means: 'Any member ends the grants of any other.',
    file: `${SRC}/resources/grants/policy.ts`,
    search: ': { organizationId, userId };',
    replace: ': { organizationId };',
    test: serverTest(
      'resources/grants/grants.test.ts',
      'DELETE /grants/:id > is for the person who agreed, and for admins',
    ),
  },
  {
    name: 'grants-come-back-unasked',
    means: 'A client whose grant a person has ended gets the next one without a question.',
    file: `${SRC}/identity/grants/end-grant.ts`,
    search: 'WHERE c."userId" = e."userId"',
    replace: 'WHERE false AND c."userId" = e."userId"',
    test: serverTest(
      'resources/grants/grants.test.ts',
      'DELETE /grants/:id > forgets the consent of that person to that client, and announces the grant',
    ),
  },
  {
    name: 'revoked-access-but-the-own-token',
    means: 'Somebody whose token was stolen revokes their own access, and the thief stays.',
    file: `${SRC}/resources/members/service.ts`,
    search: 'const personal = await deleteTokens(tx.db, id);',
    replace: 'const personal = id === actor.userId ? 0 : await deleteTokens(tx.db, id);',
    test: serverTest(
      'resources/members/revoke-access.test.ts',
      'POST /members/:id/revoke-access > of oneself includes the token of the request, and no replay of its secrets',
    ),
  },
  {
    name: 'revoked-access-counts-dead-streams',
    means: 'The receipt counts streams of a node that is gone.',
    file: `${SRC}/sessions/revocation.ts`,
    search: `      AND p."leaseUntil" > now() AND p."nodeId" <> `,
    replace: `      AND p."nodeId" <> `,
    test: serverTest(
      'resources/applications/revoke-access.test.ts',
      'POST /applications/:id/revoke-access > ends tokens, grants, consents and sessions, and counts what still worked',
    ),
  },
  {
    name: 'scopes-with-power-for-everybody',
    means: 'A member gives an application of their own the scope to manage the organization.',
    file: `${SRC}/resources/applications/policy.ts`,
    search: '  if (refused.length === 0) return;\n',
    replace: '  if (refused.length < 9) return;\n',
    test: suiteTest(
      'server',
      'OAuth configuration of applications > gets scopes with power over others from admins alone, and keeps them',
    ),
  },
  {
    name: 'links-outlive-a-promotion',
    means: 'An admin who made a link for a member signs in as that member once they are an owner.',
    file: `${SRC}/resources/members/service.ts`,
    search: '  await deleteSignInLinks(tx.db, userId);\n',
    replace: '',
    test: serverTest(
      'resources/members/revoke-access.test.ts',
      'PATCH /members/:id > ends the sign-in links of a member who is promoted, as it ends the invitation',
    ),
  },
  {
    name: 'sweep-forgets-used-codes',
    means: 'A code that is used a second time after its expiry is not recognized as stolen.',
    file: `${SRC}/identity/grants/sweep.ts`,
    search: ` AND "consumedAt" IS NULL
      ORDER BY "expiresAt"`,
    replace: `
      ORDER BY "expiresAt"`,
    test: serverTest(
      'housekeeping.test.ts',
      'a sweep > deletes expired OAuth tokens, and keeps used ones as long as their grant',
    ),
  },
];
