import {
  clauseOf,
  credentialFailures,
  hintOf,
  isOauthConfigured,
  type ValidateIntegrationResponse,
  type ValidationStatus,
} from '@gatehouse/contract';
import type { MockValidation } from '../state/outcomes.ts';
import type { ConnectionRow, IntegrationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { isSendable } from './credential-fields.ts';
import { connectionDestination, hasServerTokenFor } from './destinations.ts';
import { stagesOf } from './stages.ts';

/** The result of validating an integration: what a test has set, or what its credential suggests. */
export function validationOf(
  { outcomes }: State,
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): ValidateIntegrationResponse {
  const outcome = outcomes.get(integration.id) ?? expectedOf(integration, connection);
  return withStages(integration, outcome);
}

/** The result of testing a connection: what a test has set, or what the connection suggests. */
export function connectionTestOf(
  { connectionTests }: State,
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): ValidateIntegrationResponse {
  const outcome = connectionTests.get(integration.id) ?? expectedOf(integration, connection);
  return withStages(integration, outcome);
}

function withStages(
  integration: IntegrationRow,
  { status, message, stages }: MockValidation,
): ValidateIntegrationResponse {
  return { status, message, stages: [...(stages ?? stagesOf(integration, status))] };
}

interface Verdict {
  readonly status: ValidationStatus;
  readonly message: string;
}

/** No request is made: `valid` when the required credential is stored, otherwise `pending`. */
function expectedOf(integration: IntegrationRow, connection: ConnectionRow | undefined): Verdict {
  switch (integration.authMode) {
    case 'none':
      return valid('asks for no credential');
    case 'server_token':
      return hasServerTokenFor(integration, integration.url)
        ? valid('accepted the server token')
        : pending('server_token_missing');
    case 'oauth':
      if (!isOauthConfigured(integration.oauth)) {
        return pending('oauth_not_configured');
      }
      return validationOfConnection(integration, connection);
    case 'user_token':
      return validationOfConnection(integration, connection);
  }
}

function validationOfConnection(
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): Verdict {
  if (!connection) {
    return pending('connection_required');
  }
  const { mode, destination, credential, expiresAt, reason } = connection;
  const isForPresent =
    mode === integration.authMode && destination === connectionDestination(integration);
  if (!isForPresent || !isSendable(integration.credentialSchema, credential)) {
    return pending('needs_reauth');
  }
  if (reason === 'needs_reauth') {
    return notTried('needs_reauth');
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    return notTried('expired');
  }
  return valid('accepted your connection');
}

function valid(what: string): Verdict {
  return { status: 'valid', message: `The server was reached over MCP and ${what}.` };
}

function pending(code: keyof typeof credentialFailures): Verdict {
  return { status: 'pending', message: `The server was reached over MCP, but ${whyOf(code)}.` };
}

function notTried(code: keyof typeof credentialFailures): Verdict {
  return { status: 'invalid', message: `The integration was not tried: ${whyOf(code)}.` };
}

function whyOf(code: keyof typeof credentialFailures): string {
  const failure = credentialFailures[code];
  return `${clauseOf(failure.sentence)}; ${clauseOf(hintOf(failure))}`;
}
