import { type AccessReasonCode, tokenDestination } from '@gatehouse/contract';
import type { ApplicationNode, CredentialFacts, IntegrationNode } from './repository.ts';

export function isCredentialOnly({ category }: Pick<IntegrationNode, 'category'>): boolean {
  return category === 'internal_mcp_credentials';
}

/** Whether the application may get the credential of the integration handed out. */
function isReceiver(
  { clientType, scopes }: ApplicationNode,
  { authMode }: IntegrationNode,
): boolean {
  return clientType === 'confidential' && scopes.includes('credentials') && authMode !== 'none';
}

/** Every reason why an attachment cannot work now for anybody. */
export function staticReasonsOf(
  application: ApplicationNode,
  integration: IntegrationNode,
  facts: CredentialFacts,
): AccessReasonCode[] {
  const applies: Readonly<Record<AccessReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: isCredentialOnly(integration) && !isReceiver(application, integration),
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: integration.authMode === 'server_token' && !hasServerToken(facts),
    oauth_not_configured: integration.authMode === 'oauth' && !facts.isOauthConfigured,
  };
  return (Object.keys(applies) as AccessReasonCode[]).filter((code) => applies[code]);
}

/** A token that was entered for another origin is never sent. */
function hasServerToken({ url, serverTokenDestination }: CredentialFacts): boolean {
  return serverTokenDestination !== null && serverTokenDestination === tokenDestination(url);
}
