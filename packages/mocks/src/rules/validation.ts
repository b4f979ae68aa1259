import {
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
        : pending('no server token is set for this URL; set serverToken');
    case 'oauth':
      if (!isOauthConfigured(integration.oauth)) {
        return pending('it has no OAuth configuration; set one');
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
    return pending('you have no connection to it yet; connect, then validate again');
  }
  const { mode, destination, credential, expiresAt, reason } = connection;
  const isForPresent =
    mode === integration.authMode && destination === connectionDestination(integration);
  if (!isForPresent || !isSendable(integration.credentialSchema, credential)) {
    return pending('your connection does not match its current configuration; connect again');
  }
  if (reason === 'needs_reauth') {
    const message =
      'The integration was not tried: your grant is no longer renewed; connect again.';
    return { status: 'invalid', message };
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    const message = 'The integration was not tried: your connection has expired; connect again.';
    return { status: 'invalid', message };
  }
  return valid('accepted your connection');
}

function valid(what: string): Verdict {
  return { status: 'valid', message: `The server was reached over MCP and ${what}.` };
}

function pending(why: string): Verdict {
  return { status: 'pending', message: `The server was reached over MCP, but ${why}.` };
}
