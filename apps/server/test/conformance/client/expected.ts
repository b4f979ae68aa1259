import type { ConformanceTool } from '@gatehouse/harness';
import { NOT_OURS } from './not-ours.ts';
import { HTTPS_ORIGIN } from './play.ts';

/** A run of the tool, and what must come of it. */
export interface ExpectedRun {
  readonly tool: ConformanceTool;
  readonly args: readonly [option: string, value: string];
  /** All that run, in alphabetical order. */
  readonly scenarios: readonly string[];
  /** Those in which the client must end with an error, besides those that are not ours. */
  readonly refused: readonly string[];
  /** What we are in `auth/basic-cimd`. */
  readonly basicClientId: RegExp;
}

const BOTH_ERAS = [
  'auth/basic-cimd',
  'auth/client-credentials-basic',
  'auth/client-credentials-jwt',
  ...['auth/metadata-default', 'auth/metadata-var1', 'auth/metadata-var2', 'auth/metadata-var3'],
  'auth/pre-registration',
  ...['auth/scope-from-scopes-supported', 'auth/scope-from-www-authenticate'],
  ...['auth/scope-omitted-when-undefined', 'auth/scope-retry-limit', 'auth/scope-step-up'],
  ...['basic', 'none', 'post'].map((method) => `auth/token-endpoint-auth-${method}`),
  'tools_call',
];

const LEGACY = ['elicitation-sep1034-client-defaults', 'initialize', 'sse-retry'];

/** Of 0.2.0 alone. */
const NEWER = [
  ...['auth/dpop', 'auth/dpop-nonce', 'auth/enterprise-managed-authorization'],
  'auth/wif-jwt-bearer',
  'json-schema-2020-12-preservation',
];

const DRAFT = [
  'auth/offline-access-not-supported',
  'auth/offline-access-scope',
  'auth/resource-mismatch',
];

/** Nothing that the person does gives the scope. */
const NEVER_GIVEN = 'auth/scope-retry-limit';

const WRONG_ISSUERS = [
  ...['auth/iss-normalized', 'auth/iss-supported-missing', 'auth/iss-unexpected'],
  ...['auth/iss-wrong-issuer', 'auth/metadata-issuer-mismatch'],
];

const OUR_DOCUMENT = new RegExp(`^${HTTPS_ORIGIN}/oauth/clients/[0-9a-f-]{36}\\.json$`);

export const EXPECTED_RUNS: readonly ExpectedRun[] = [
  {
    tool: '0.1.16',
    args: ['--suite', 'all'],
    scenarios: sorted([
      ...BOTH_ERAS,
      ...LEGACY,
      ...DRAFT,
      'auth/2025-03-26-oauth-endpoint-fallback',
      'auth/2025-03-26-oauth-metadata-backcompat',
      'auth/cross-app-access-complete-flow',
    ]),
    refused: ['auth/resource-mismatch', NEVER_GIVEN],
    // Its server sends no `iss`, so that Gatehouse registers there.
    basicClientId: /^test-client-id$/,
  },
  {
    tool: '0.2.0-alpha.12',
    args: ['--requirements', '2025-11-25'],
    scenarios: sorted([...BOTH_ERAS, ...LEGACY, ...NEWER]),
    refused: [NEVER_GIVEN],
    basicClientId: OUR_DOCUMENT,
  },
  {
    tool: '0.2.0-alpha.12',
    args: ['--requirements', '2026-07-28'],
    scenarios: sorted([
      ...[...BOTH_ERAS, ...NEWER, ...DRAFT, ...WRONG_ISSUERS],
      ...['auth/iss-not-advertised', 'auth/iss-supported'],
      'auth/authorization-server-migration',
      ...['http-custom-headers', 'http-invalid-tool-headers', 'http-standard-headers'],
      'json-schema-ref-no-deref',
      'request-metadata',
      'sep-2322-client-request-state',
    ]),
    refused: sorted([
      ...['auth/resource-mismatch', NEVER_GIVEN, ...WRONG_ISSUERS],
      // Its last result lacks a member that the official client insists on.
      'sep-2322-client-request-state',
    ]),
    basicClientId: OUR_DOCUMENT,
  },
];

/** Without those that are not ours. */
export function oursOf(scenarios: readonly string[]): readonly string[] {
  return scenarios.filter((name) => NOT_OURS[name] === undefined);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...names].sort();
}
