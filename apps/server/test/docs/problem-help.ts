import type { ProblemCode } from '@gatehouse/contract';

interface Help {
  /** Why it happens, in one or two sentences. */
  readonly cause: string;
  readonly remedy: string;
}

/** What the page of problem codes says of each. A new code of the contract needs an entry. */
export const PROBLEM_HELP: Readonly<Record<ProblemCode, Help>> = {
  validation_failed: {
    cause: 'A parameter, header or field has a value that is not allowed.',
    remedy:
      'Correct what `errors` names: each entry has a `pointer` into the body or a `parameter`.',
  },
  unknown_field: {
    cause: 'The body has a field that the operation does not know, often a misspelt one.',
    remedy: 'Remove or correct the field that `errors` names.',
  },
  invalid_cursor: {
    cause:
      'The cursor was altered, belongs to another list or filter, or was made with a key that has been removed.',
    remedy: 'Begin the list again without `cursor`.',
  },
  malformed_json: {
    cause: 'The body is not JSON, or not UTF-8.',
    remedy: 'Send the output of a JSON serializer.',
  },
  egress_denied: {
    cause: 'The URL leads to an address that is not public and that the operator has not allowed.',
    remedy: 'Use a public address, or have the network added to `GATEHOUSE_ALLOWED_NETWORKS`.',
  },
  unauthenticated: {
    cause: 'There is no bearer token, or it is unknown, expired or revoked.',
    remedy: 'Send a good token. With an OAuth token, refresh it; if that fails, sign in again.',
  },
  forbidden: {
    cause: 'The role of the person does not allow this.',
    remedy: 'Have an admin or owner do it, or change the role.',
  },
  policy_refused: {
    cause: 'Rules limit who may use the integration, and the caller is not among them.',
    remedy:
      'Ask an admin: `reasons` names each rule that refuses, and whether it is the integration’s or the attachment’s.',
  },
  insufficient_scope: {
    cause: 'The person may do this, but the token may not.',
    remedy: 'Use a token with the scope that the answer names. With OAuth, authorize again for it.',
  },
  host_not_allowed: {
    cause: 'The `Host` header is neither that of `GATEHOUSE_PUBLIC_URL` nor a loopback name.',
    remedy: 'Call the public URL, and have the proxy pass `Host` on unchanged.',
  },
  origin_not_allowed: {
    cause: 'A web page of an origin that is not listed has sent the request.',
    remedy: 'Add the origin to `GATEHOUSE_ALLOWED_ORIGINS`.',
  },
  not_found: {
    cause: 'There is no such path or resource, or it is not yours to see.',
    remedy: 'Check the id, and which token you use.',
  },
  oauth_not_configured: {
    cause: 'The integration has no OAuth configuration.',
    remedy: 'Store one with `PUT /integrations/:id/oauth`.',
  },
  not_proxied: {
    cause: 'The integration only stores credentials. Nothing can be called through it.',
    remedy: 'Use an integration of the category `gateway_remote_mcp`.',
  },
  session_not_found: {
    cause: 'The MCP session has ended or expired, or belongs to someone else.',
    remedy: 'Initialize a new session. MCP clients do that by themselves.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  archived: {
    cause: 'The integration or application is archived, so it cannot be used or changed.',
    remedy: 'Restore it first.',
  },
  auth_mode_mismatch: {
    cause:
      'The `authMode` of the integration does not fit, such as a token for one without tokens.',
    remedy: 'Change the mode, or leave this out.',
  },
  connection_required: {
    cause: 'A credential is handed out only once the person has connected an account.',
    remedy: 'Send the person to `connectUrl`, then try again.',
  },
  integration_misconfigured: {
    cause: 'The integration lacks what its `authMode` needs, such as a server token.',
    remedy: 'An admin completes it, as the detail says.',
  },
  not_credential_only: {
    cause: 'Only credentials of the category `internal_mcp_credentials` are handed out.',
    remedy: 'Call the integration through its gateway URL.',
  },
  public_client_has_no_secret: {
    cause: 'A public application has no secret to rotate.',
    remedy: 'Nothing to do, or make a confidential application.',
  },
  attachment_limit_reached: {
    cause: 'The application has as many integrations as an application may have.',
    remedy: 'Detach some, or make a second application.',
  },
  alias_taken: {
    cause: 'Another integration of the application has the alias.',
    remedy: 'Take another one, or change that of the other integration first.',
  },
  token_limit_reached: {
    cause:
      'The member has as many tokens as allowed, which is usually a program that makes one at each start.',
    remedy: 'Revoke those that are no longer used.',
  },
  last_owner: {
    cause: 'The organization would have no owner.',
    remedy: 'Make another member an owner first.',
  },
  email_taken: {
    cause: 'A member with this email exists.',
    remedy: 'Use that member. For a forgotten password, make a sign-in link.',
  },
  group_name_taken: {
    cause: 'Another group has this name, in whatever case, or this external id.',
    remedy: 'Use that group, or choose another name.',
  },
  group_in_use: {
    cause: 'Policies name the group.',
    remedy: 'Remove the group from the policies that `errors` lists, then delete it.',
  },
  group_limit_reached: {
    cause: 'There are 1,000 groups, or 10,000 members in the group.',
    remedy: 'Delete groups that no policy names, or remove members.',
  },
  policy_unreadable: {
    cause: 'The rules were written by a later version, and this one was started again after it.',
    remedy: 'Upgrade again, or replace the rules by `PUT` with ones that this version knows.',
  },
  tools_changed: {
    cause:
      'The server of the integration lists other definitions by now than those to be approved, or no such tool was seen.',
    remedy: 'Read the tools that `tools` names again, and approve what you see then.',
  },
  managed_by_provider: {
    cause: 'The group has an `externalId`, so who is in it follows the identity provider.',
    remedy:
      'Change it at the provider; it holds from the next sign-in. Or set `externalId` to null.',
  },
  invitation_used: {
    cause: 'The invitation has made its token already.',
    remedy: 'Use the token that it has made, or ask an admin for another invitation.',
  },
  idempotency_in_progress: {
    cause: 'A request with the same `Idempotency-Key` is still running.',
    remedy: 'Send the same again in a moment.',
  },
  secret_no_longer_available: {
    cause:
      'You repeat a request that succeeded, but the secret in its answer has been replaced since.',
    remedy: 'Do it again with another key, such as by rotating the secret.',
  },
  precondition_failed: {
    cause: 'The resource has changed since you read the `ETag` in `If-Match`.',
    remedy: 'Read it again, and decide again.',
  },
  payload_too_large: {
    cause: 'The body is larger than 1 MiB, or 16 MiB through the gateway.',
    remedy: 'Send less.',
  },
  unsupported_media_type: {
    cause: 'The body is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'The `Idempotency-Key` was used for another request.',
    remedy: 'Use a new key for each request, and the same one only to repeat it.',
  },
  rate_limited: {
    cause: 'The token has sent too many requests this minute, or the address too many that failed.',
    remedy: 'Wait as long as `Retry-After` says. The operator can set `GATEHOUSE_RATE_LIMIT`.',
  },
  headers_too_large: {
    cause: 'The headers of the request together are too large.',
    remedy: 'Send fewer or shorter ones. Often many cookies of the same host are the reason.',
  },
  internal_error: {
    cause: 'A defect of Gatehouse.',
    remedy: 'Report it with the request id and its log lines.',
  },
  upstream_unreachable: {
    cause: 'The MCP server does not accept connections, breaks them, or may not be reached.',
    remedy: 'Validate the integration: it says at which stage it fails.',
  },
  upstream_redirected: {
    cause: 'The URL of the integration redirects, or speaks the old HTTP+SSE transport.',
    remedy: 'An admin enters the URL that validating names.',
  },
  upstream_unreadable: {
    cause:
      'Rules limit what the integration may list, and its MCP server sent a list compressed or in a form that cannot be filtered, or with a `Content-Type` that clients read differently.',
    remedy: 'Have the MCP server send plain JSON in UTF-8, as the gateway asks it to.',
  },
  upstream_response_too_large: {
    cause: 'The answer of the MCP server is larger than 64 MiB and no event stream.',
    remedy: 'Have the tool return less, or in several calls.',
  },
  credential_unavailable: {
    cause:
      'A stored credential cannot be used: its encryption key is not loaded, or a provider does not answer.',
    remedy:
      'Try again after `Retry-After`. If it stays, the operator looks into the log. Nobody needs to enter it again.',
  },
  database_unavailable: {
    cause: 'The database cannot be reached, or does not take writes.',
    remedy: 'Try again after `Retry-After`. The operator repairs the database.',
  },
  overloaded: {
    cause: 'The node has no room for the request at the moment.',
    remedy: 'Try again after `Retry-After`. The operator adds file descriptors or a node.',
  },
  upstream_timeout: {
    cause: 'The MCP server did not answer in time.',
    remedy: 'Try again. For long work, have the tool report progress in an event stream.',
  },
  loop_detected: {
    cause: 'The URL of an integration leads back to this Gatehouse.',
    remedy: 'An admin corrects the URL.',
  },
};
