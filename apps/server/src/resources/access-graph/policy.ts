import type { AccessPolicy, AccessPolicyReasonCode } from '@gatehouse/contract';
import { tokenDestination } from '../../credentials/destination.ts';
import type { ApplicationNode, CredentialFacts, IntegrationNode } from './repository.ts';

const MESSAGES: Readonly<Record<AccessPolicyReasonCode, string>> = {
  application_archived: 'The application is archived.',
  integration_archived: 'The integration is archived.',
  not_proxied: 'The integration only hands out credentials. The gateway does not proxy it.',
  validation_invalid: 'The last validation of the integration failed.',
  server_token_missing: 'The integration has no server token for its current address.',
  oauth_not_configured: 'The integration has no OAuth issuer configured.',
};

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
    reasons: codes.map((code) => ({ code, message: MESSAGES[code] })),
  };
}

/** A token that was entered for another origin is never sent. */
function hasServerToken({ url, serverTokenDestination }: CredentialFacts): boolean {
  return serverTokenDestination !== null && serverTokenDestination === tokenDestination(url);
}
