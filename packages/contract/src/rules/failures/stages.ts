import type { StageCode, ValidationStageName } from '../../shared/validation.ts';
import { authorizationFailures } from './authorization-failures.ts';
import { credentialFailures } from './credential-failures.ts';
import type { Failure } from './failure.ts';
import { serverFailures } from './server-failures.ts';

/** What each stage of a validation checks. */
export const stageChecks: Readonly<Record<ValidationStageName, string>> = {
  address:
    'The host name of the URL resolves, Gatehouse may connect to all its addresses, and one of them accepts a connection.',
  tls: 'The server proves with its certificate that it is the host of the URL. Plain http has no such stage.',
  http: 'The server responds over HTTP without an error.',
  mcp: 'The server speaks MCP 2026-07-28 or an earlier version.',
  challenge: 'A server that needs a credential answers 401 with a WWW-Authenticate challenge.',
  discovery:
    'In the mode oauth: Gatehouse finds the authorization server at which people connect, and its metadata is valid.',
  registration:
    'In the mode oauth: Gatehouse can become a client of the authorization server. It does not register yet.',
  credential: 'The stored credential was sent and accepted.',
  tools: 'The server lists its tools.',
};

type Explained = Exclude<StageCode, 'not_reached' | 'not_needed'>;

const failures: Readonly<Record<Explained, Pick<Failure, 'sentence' | 'hint' | 'actor'>>> = {
  ...authorizationFailures,
  ...credentialFailures,
  ...serverFailures,
};

/** Why a stage failed or was skipped; undefined for `not_needed` and `not_reached`, which need no action. */
export function stageFailure(
  stage: ValidationStageName,
  code: StageCode,
): Pick<Failure, 'sentence' | 'hint' | 'actor'> | undefined {
  if (code === 'not_reached' || code === 'not_needed') return undefined;
  const isAuthorization = stage === 'discovery' || stage === 'registration';
  return isAuthorization && hasCode(authorizationFailures, code)
    ? authorizationFailures[code]
    : failures[code];
}

function hasCode<Table extends object>(table: Table, code: PropertyKey): code is keyof Table {
  return Object.hasOwn(table, code);
}
