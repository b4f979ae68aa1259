import { refusalTexts } from '../rules/refusal-texts.ts';
import type { JsonObject } from '../shared/json.ts';
import { problemType } from '../shared/problem.ts';
import { type ProblemCode, problemCodes } from '../shared/problem-codes.ts';

interface Occurrence {
  readonly detail: string;
  /** The path below `/api/v1`. */
  readonly path: string;
  readonly errors?: JsonObject[];
  readonly connectUrl?: string;
  readonly reasons?: JsonObject[];
  readonly tools?: string[];
}

const INTEGRATION = '/integrations/01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10';
const GROUP = '/groups/01936f7e-4a61-7c29-8f0b-6d5e4c3b2a19';
const APPLICATION = '/applications/01936f70-11f4-7b52-8a3e-5d8c9f0e2b41';
const CREDENTIAL = `${APPLICATION}${INTEGRATION}/credential`;

/** One time that each code was returned. */
const occurrences: Readonly<Partial<Record<ProblemCode, Occurrence>>> = {
  validation_failed: {
    detail: 'The request is not valid. The errors name each field or parameter to correct.',
    path: '/integrations',
    errors: [{ pointer: '/name', code: 'too_small', message: 'Must not be empty.' }],
  },
  unknown_field: {
    detail: 'The body has a field that this operation does not have. Remove it.',
    path: '/integrations',
    errors: [{ pointer: '/title', code: 'unknown_field', message: 'There is no such field.' }],
  },
  invalid_cursor: {
    detail: refusalTexts.alteredCursor,
    path: '/integrations',
    errors: [
      {
        parameter: 'cursor',
        code: 'invalid_cursor',
        message: refusalTexts.cursorOfList,
      },
    ],
  },
  malformed_json: { detail: 'The body is not well-formed JSON.', path: '/integrations' },
  egress_denied: {
    detail:
      'The URL names an address that is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
    path: '/integrations',
    errors: [
      {
        pointer: '/url',
        code: 'egress_denied',
        message:
          'The URL names an address that is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
      },
    ],
  },
  unauthenticated: { detail: 'An access token is required.', path: '/me' },
  forbidden: { detail: 'Only admins and owners may do this.', path: '/integrations' },
  policy_refused: {
    detail:
      'This integration is limited to people with other roles or groups. An admin can change this.',
    path: CREDENTIAL,
    reasons: [{ code: 'role_or_group', level: 'integration' }],
  },
  insufficient_scope: {
    detail: 'The access token lacks the scope management:write.',
    path: '/integrations',
  },
  host_not_allowed: {
    detail: 'This service is not available under that Host name.',
    path: '/me',
  },
  origin_not_allowed: {
    detail: 'Requests from that web origin are not allowed.',
    path: '/me',
  },
  not_found: { detail: 'There is no such integration.', path: INTEGRATION },
  oauth_not_configured: {
    detail: 'The integration has no OAuth configuration. Set one with PUT.',
    path: `${INTEGRATION}/oauth`,
  },
  archived: { detail: 'The integration is archived. Restore it first.', path: INTEGRATION },
  auth_mode_mismatch: {
    detail: 'The integration does not use the mode oauth.',
    path: `${INTEGRATION}/oauth`,
  },
  connection_required: {
    detail: 'You have not connected an account yet. Connect, then try again.',
    path: CREDENTIAL,
    connectUrl: `https://gatehouse.example/connect?integration=01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10`,
  },
  integration_misconfigured: {
    detail: 'The integration has no server token for its URL. Set serverToken.',
    path: CREDENTIAL,
  },
  not_credential_only: {
    detail:
      'The gateway proxies this integration, and its credential never leaves. Use its gateway URL.',
    path: CREDENTIAL,
  },
  public_client_has_no_secret: {
    detail:
      'The application is a public client. Change its type to confidential to give it a secret.',
    path: `${APPLICATION}/rotate-secret`,
  },
  attachment_limit_reached: {
    detail: 'An application can have at most 500 attached integrations.',
    path: APPLICATION + INTEGRATION,
  },
  alias_taken: {
    detail: 'Another integration of the application has this alias.',
    path: APPLICATION + INTEGRATION,
    errors: [{ pointer: '/alias', code: 'taken', message: 'Another integration has this alias.' }],
  },
  token_limit_reached: {
    detail: 'A member can have at most 1000 tokens. Revoke some that are no longer used.',
    path: '/tokens',
  },
  last_owner: {
    detail: 'The last owner of an organization cannot be removed or demoted.',
    path: '/members/01936f6d-02a7-7f10-b1c4-6e9d8a7b5c32',
  },
  email_taken: {
    detail: 'The organization already has a member with this email.',
    path: '/members',
  },
  group_name_taken: {
    detail: 'The organization already has a group with this name.',
    path: '/groups',
    errors: [{ pointer: '/name', code: 'taken', message: 'Another group has this name.' }],
  },
  group_in_use: {
    detail: 'Policies name the group. Remove it from them first.',
    path: GROUP,
    errors: [
      {
        code: 'integration_policy',
        message: `The policy at ${INTEGRATION}/policy names the group.`,
      },
    ],
  },
  group_limit_reached: {
    detail: 'An organization can have at most 1000 groups.',
    path: '/groups',
  },
  policy_unreadable: {
    detail:
      'This version of Gatehouse cannot read the stored rules, so they refuse every use. Replace them, or upgrade.',
    path: `${INTEGRATION}/policy`,
  },
  tools_changed: {
    detail: 'Some of the tools are not as they were seen last. Read them again.',
    path: `${INTEGRATION}/tools/approve`,
    tools: ['issue_read'],
  },
  managed_by_provider: {
    detail:
      'Who is in this group follows the identity provider at each sign-in. Change it there, or set externalId to null.',
    path: `${GROUP}/members/01936f6d-02a7-7f10-b1c4-6e9d8a7b5c32`,
  },
  invitation_used: { detail: 'This invitation has already been used.', path: '/tokens' },
  idempotency_in_progress: {
    detail: 'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    path: '/integrations',
  },
  secret_no_longer_available: {
    detail: refusalTexts.secretReplaced,
    path: '/tokens',
  },
  precondition_failed: {
    detail:
      'The resource has changed since the version named in If-Match. Read it again, then repeat the change.',
    path: INTEGRATION,
  },
  payload_too_large: { detail: 'The body is larger than 1 MiB.', path: '/integrations' },
  unsupported_media_type: {
    detail: 'Send the body as application/json in UTF-8.',
    path: '/integrations',
  },
  idempotency_key_reused: {
    detail: refusalTexts.reusedKey,
    path: '/integrations',
  },
  rate_limited: { detail: 'Too many requests. Try again in 12 s.', path: '/integrations' },
  internal_error: { detail: 'Something went wrong on our side.', path: '/integrations' },
  database_unavailable: {
    detail: 'The database is not available at the moment. Try again shortly.',
    path: '/integrations',
  },
  credential_unavailable: {
    detail: 'The authorization server did not refresh your access. Try again later.',
    path: CREDENTIAL,
  },
  overloaded: { detail: 'The service is starting.', path: '/integrations' },
};

/** A problem document for each code that has an example, by code. */
export const problemExamples: Readonly<Partial<Record<ProblemCode, JsonObject>>> =
  Object.fromEntries(
    Object.entries(occurrences).map(([code, occurrence]) => [
      code,
      problemDocument(code as ProblemCode, occurrence),
    ]),
  );

function problemDocument(
  code: ProblemCode,
  { detail, path, errors, connectUrl, reasons, tools }: Occurrence,
): JsonObject {
  const { status, title } = problemCodes[code];
  return {
    type: problemType(code),
    title,
    status,
    detail,
    instance: `/api/v1${path}`,
    code,
    requestId: '4f1c9a52-0b7e-4d43-9c11-8a6f2e7d5b30',
    ...(errors === undefined ? {} : { errors }),
    ...(connectUrl === undefined ? {} : { connectUrl }),
    ...(reasons === undefined ? {} : { reasons }),
    ...(tools === undefined ? {} : { tools }),
  };
}
