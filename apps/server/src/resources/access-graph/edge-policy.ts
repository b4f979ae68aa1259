import {
  type AccessPolicy,
  type AccessPolicyReasonCode,
  accessReasonMessages,
  tokenDestination,
} from '@gatehouse/contract';
import type { ApplicationNode, CredentialFacts, IntegrationNode } from './repository.ts';

/** Whether calls through an attachment can work now for any user, and every reason why they cannot. */
export function accessPolicy(
  application: Pick<ApplicationNode, 'archivedAt'>,
  integration: IntegrationNode,
  facts: CredentialFacts,
): AccessPolicy {
  const applies: Readonly<Record<AccessPolicyReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: integration.category === 'internal_mcp_credentials',
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: integration.authMode === 'server_token' && !hasServerToken(facts),
    oauth_not_configured: integration.authMode === 'oauth' && !facts.isOauthConfigured,
  };
  const codes = (Object.keys(applies) as AccessPolicyReasonCode[]).filter((code) => applies[code]);
  return {
    allowed: codes.length === 0,
    reasons: codes.map((code) => ({ code, message: accessReasonMessages[code] })),
  };
}

/** A token that was entered for another origin is never sent. */
function hasServerToken({ url, serverTokenDestination }: CredentialFacts): boolean {
  return serverTokenDestination !== null && serverTokenDestination === tokenDestination(url);
}
