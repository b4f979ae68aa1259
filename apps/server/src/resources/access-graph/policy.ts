import type { AccessPolicy, AccessPolicyReasonCode } from '@gatehouse/contract';
import { tokenDestination } from '../../credentials/destination.ts';
import type { ApplicationNode, CredentialFacts, IntegrationNode } from './repository.ts';

const MESSAGES: Readonly<Record<AccessPolicyReasonCode, string>> = {
  application_archived: 'The application is archived.',
  integration_archived: 'The integration is archived.',
  not_proxied: 'The integration only brokers credentials: the gateway does not proxy it.',
  validation_invalid: 'The last validation of the integration failed.',
  server_token_missing: 'The integration has no server token for its present address.',
  oauth_not_configured: 'The integration has no OAuth issuer configured.',
};

/** Whether calls over an attachment can work now, for whichever user, and everything that speaks against it. */
export function accessPolicy(
  application: Pick<ApplicationNode, 'archivedAt'>,
  integration: IntegrationNode,
  facts: CredentialFacts,
): AccessPolicy {
  const found: Readonly<Record<AccessPolicyReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: integration.category === 'internal_mcp_credentials',
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: integration.authMode === 'server_token' && !hasServerToken(facts),
    oauth_not_configured: integration.authMode === 'oauth' && !facts.isOauthConfigured,
  };
  const codes = (Object.keys(found) as AccessPolicyReasonCode[]).filter((code) => found[code]);
  return {
    allowed: codes.length === 0,
    reasons: codes.map((code) => ({ code, message: MESSAGES[code] })),
  };
}

/** A token entered for another origin is never sent. */
function hasServerToken({ url, serverTokenDestination }: CredentialFacts): boolean {
  return serverTokenDestination !== null && serverTokenDestination === tokenDestination(url);
}
