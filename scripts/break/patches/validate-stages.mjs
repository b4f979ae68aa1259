import { serverTest, suiteTest } from '../places.mjs';

const PROBE = 'apps/server/src/credentials/probe';
const INTEGRATIONS = 'apps/server/src/resources/integrations';
const inStages = (name) => serverTest('credentials/probe/stages.test.ts', name);
const inRecheck = (name) => serverTest('resources/integrations/recheck.test.ts', name);
const inDiscover = (name) => serverTest('resources/integrations/discover.test.ts', name);

export const validateStagesPatches = [
  {
    name: 'stages-pass-behind-failure',
    means: 'An admin reads that stages are in order which nobody has tried.',
    file: `${PROBE}/stages/reaching.ts`,
    search: 'index < at ? PASSED : NOT_REACHED',
    replace: 'index < at ? PASSED : PASSED',
    test: inStages('the stages of a validation > are not reached behind one that failed'),
  },
  {
    name: 'stages-discovery-behind-failure',
    means: 'An admin looks at the authorization server although the MCP server cannot be reached.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: 'if (!isReached) return',
    replace: 'if (isReached && !kind) return',
    test: inStages('the stages of a validation > are not reached behind one that failed'),
  },
  {
    name: 'stages-registration-behind-failure',
    means: 'An admin reads that Gatehouse can be a client of a server that was not found.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: 'failed(codeOf(authorization.code)), registration: NOT_REACHED };',
    replace: 'failed(codeOf(authorization.code)), registration: PASSED };',
    test: inStages(
      'the stages of a validation > say nothing of registration while no authorization server is found',
    ),
  },
  {
    name: 'stages-no-client',
    means: 'An admin is not told that people cannot connect until a client is entered.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: 'registration: ways.length > 0 ? PASSED :',
    replace: 'registration: ways.length >= 0 ? PASSED :',
    test: inStages('the stages of a validation > say it when nobody can register'),
  },
  {
    name: 'stages-no-challenge',
    means: 'Any server that says 401 is taken for an MCP server.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: "const challenge = isChallenge ? PASSED : failed('challenge_missing');",
    replace: "const challenge = isChallenge ? PASSED : PASSED && failed('permission_denied');",
    test: inStages('the stages of a validation > say it when a refusal has no challenge'),
  },
  {
    name: 'stages-private-unnamed',
    means: 'An admin is not told which setting lets an authorization server be reached.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: "egress_denied: 'address_not_allowed',",
    replace: "egress_denied: 'unreachable',",
    test: inStages(
      'the stages of a validation > say it when the authorization server is at a private address',
    ),
  },
  {
    name: 'stages-refused-credential-passes',
    means: 'A credential that the server refuses is shown as accepted.',
    file: `${PROBE}/stages/authorizing.ts`,
    search: "isSent ? 'credential_rejected' : 'credential_required'",
    replace: "isSent ? 'credential_required' : 'credential_rejected'",
    test: inStages('the stages of a validation > say it when the server refuses the credential'),
  },
  {
    name: 'recheck-while-archived',
    means: 'Archived integrations are still called.',
    file: `${INTEGRATIONS}/recheck/claim-due.ts`,
    search: 'rows.filter(({ archivedAt }) => archivedAt === null)',
    replace: 'rows.filter(({ archivedAt }) => archivedAt !== undefined)',
    test: inRecheck(
      'an integration that asks for it is validated by the service > not before, not without an interval, and not while it is archived',
    ),
  },
  {
    name: 'recheck-without-backoff',
    means: 'A server that is down is called as often as one that is in order.',
    file: `${INTEGRATIONS}/recheck/claim-due.ts`,
    search: 'everyMinutes * 2 ** Math.min(failures, MAX_DOUBLINGS)',
    replace: 'everyMinutes * 1 ** Math.min(failures, MAX_DOUBLINGS)',
    test: inRecheck(
      'an integration that asks for it is validated by the service > ever more rarely while it fails, and as before once it succeeds',
    ),
  },
  {
    name: 'recheck-ever-rarer',
    means: 'An integration that was broken for a while is not looked at for weeks.',
    file: `${INTEGRATIONS}/recheck/claim-due.ts`,
    search: 'return Math.min(doubled, Math.max(everyMinutes, DAY));',
    replace: 'return Math.max(doubled, Math.max(everyMinutes, DAY));',
    test: inRecheck(
      'an integration that asks for it is validated by the service > once a day at least, or as often as it says',
    ),
  },
  {
    name: 'recheck-by-every-node',
    means: 'Every node calls each integration.',
    file: `${INTEGRATIONS}/recheck/claim-due.ts`,
    search: `"nextValidationAt" = now() + interval '1 minute'`,
    replace: `"nextValidationAt" = now() - interval '1 minute'`,
    test: inRecheck(
      'an integration that asks for it is validated by the service > by one node of several',
    ),
  },
  {
    name: 'recheck-overwrites',
    means: 'A result for an earlier configuration is shown for the present one.',
    file: `${INTEGRATIONS}/recheck/record-recheck.ts`,
    search: '...{ id, organizationId, validationEpoch, nextValidationAt, archivedAt: null },',
    replace: '...{ id, organizationId },',
    test: inRecheck(
      'an integration that asks for it is validated by the service > without overwriting a configuration or an interval that was changed meanwhile',
    ),
  },
  {
    name: 'recheck-forgives',
    means: 'What a person has found invalid looks in order because the server answers.',
    file: `${INTEGRATIONS}/recheck/record-recheck.ts`,
    search: "integration.validationStatus === 'invalid' && integration.failedValidations > 0",
    replace: "integration.validationStatus === 'invalid' && integration.failedValidations >= 0",
    test: inRecheck(
      'in mode user_token the service > leaves alone what a person has found invalid',
    ),
  },
  {
    name: 'recheck-unasked',
    means: 'Integrations are called by themselves although nobody has asked for it.',
    file: `${INTEGRATIONS}/service.ts`,
    search: 'validateEveryMinutes: body.validateEveryMinutes ?? null,',
    replace: 'validateEveryMinutes: body.validateEveryMinutes ?? 60,',
    test: suiteTest(
      'server',
      'Changes of integrations > turn validations by the service on and off',
    ),
  },
  {
    name: 'connecting-condemns',
    means: "One person's refused credential makes an integration invalid for all.",
    file: `${INTEGRATIONS}/validate-after-connecting.ts`,
    search: "if (result.status === 'valid') await",
    replace: "if (result.status !== 'pending') await",
    test: serverTest(
      'resources/integrations/after-connecting.test.ts',
      'an integration that nobody has validated is validated when somebody connects > and stays as it is when only theirs is refused',
    ),
  },
  {
    name: 'discover-for-members',
    means: 'Every member can have this server call any URL.',
    file: 'packages/contract/src/routes.ts',
    search: `path: '/integrations/discover',
      access: 'admin',`,
    replace: `path: '/integrations/discover',
      access: 'member',`,
    test: inDiscover('POST /integrations/discover > is for admins'),
  },
  {
    name: 'discover-private',
    means: 'An admin is not told that a private address may not be used, and it is dialled.',
    file: `${INTEGRATIONS}/discovery-service.ts`,
    search: "requireAllowedUrl(egress, { url, category: 'gateway_remote_mcp', authMode: 'none' });",
    replace:
      "requireAllowedUrl(egress, { url, category: 'internal_mcp_credentials', authMode: 'none' });",
    test: inDiscover(
      'POST /integrations/discover > refuses a private address, and connects to nothing',
    ),
  },
  {
    name: 'discover-suggests-broken',
    means: 'What is suggested to an admin cannot work.',
    file: `${PROBE}/discovery.ts`,
    search: 'integration: broken === undefined ? suggestionOf(',
    replace: 'integration: broken !== null ? suggestionOf(',
    test: inDiscover(
      'POST /integrations/discover > suggests nothing where the authorization server cannot be used',
    ),
  },
];
