import { type AccessReasonCode, tokenDestination } from '@gatehouse/contract';
import type { ApplicationNode, CredentialFacts, IntegrationNode } from './repository.ts';

export function isCredentialOnly({ category }: Pick<IntegrationNode, 'category'>): boolean {
  return category === 'internal_mcp_credentials';
}

/** The parts of an attachment that can keep everyone out. */
export interface StaticFacts {
  readonly application: Pick<ApplicationNode, 'clientType' | 'scopes'> & Archivable;
  readonly integration: Pick<IntegrationNode, 'category' | 'authMode' | 'validationStatus'> &
    Archivable;
  readonly credential: Omit<CredentialFacts, 'id'>;
}

interface Archivable {
  /** Null for a row that is not archived. */
  readonly archivedAt: unknown;
}

/** Every reason why an attachment cannot work now for anybody. */
export function staticReasonsOf(facts: StaticFacts): AccessReasonCode[] {
  const { application, integration, credential } = facts;
  const applies: Readonly<Record<AccessReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: isCredentialOnly(integration) && !isReceiver(facts),
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: integration.authMode === 'server_token' && !hasServerToken(credential),
    oauth_not_configured: integration.authMode === 'oauth' && !credential.isOauthConfigured,
  };
  return (Object.keys(applies) as AccessReasonCode[]).filter((code) => applies[code]);
}

/** Whether the application may get the credential of the integration handed out. */
function isReceiver({ application, integration }: StaticFacts): boolean {
  const { clientType, scopes } = application;
  return (
    clientType === 'confidential' &&
    scopes.includes('credentials') &&
    integration.authMode !== 'none'
  );
}

/** A token that was entered for another origin is never sent. */
function hasServerToken({ url, serverTokenDestination }: StaticFacts['credential']): boolean {
  return serverTokenDestination !== null && serverTokenDestination === tokenDestination(url);
}
