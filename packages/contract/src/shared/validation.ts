import * as z from 'zod';
import { components } from './components.ts';
import { limits } from './limits.ts';
import { timestampSchema } from './timestamps.ts';

/** The result of the last validation; `pending` when no validation counts. */
export const validationStatusSchema = z
  .enum(['pending', 'valid', 'invalid'])
  .describe('The result of the last validation; `pending` when no validation counts.')
  .register(components, { id: 'ValidationStatus' });

/** The stages of a validation, in the order in which a response lists them. */
export const validationStageNameSchema = z.enum([
  'address',
  'tls',
  'http',
  'mcp',
  'challenge',
  'discovery',
  'registration',
  'credential',
  'tools',
]);

export const stageStatusSchema = z.enum(['passed', 'failed', 'skipped']);

/** Why a stage failed or was skipped. The list may grow. */
export const stageCodeSchema = z.enum([
  // address: the host of the URL and its addresses
  'address_not_allowed',
  'plain_http_with_credentials',
  'name_not_found',
  'name_server_failed',
  'name_server_silent',
  'too_many_lookups',
  'out_of_files',
  // address and http: the connection
  'refused',
  'connection_lost',
  'unreachable',
  'timed_out',
  'response_invalid',
  // tls
  'certificate_expired',
  'certificate_name',
  'certificate_untrusted',
  'handshake',
  // http and mcp: what responded
  'redirected',
  'old_transport',
  'not_found',
  'rate_limited',
  'server_error',
  'not_mcp',
  // challenge and credential
  'challenge_missing',
  'credential_required',
  'credential_rejected',
  'permission_denied',
  'connection_required',
  'needs_reauth',
  'expired',
  'server_token_missing',
  'server_token_misfit',
  'oauth_not_configured',
  'client_rejected',
  'refresh_failed',
  'key_not_loaded',
  'decryption_failed',
  // discovery and registration: the authorization server of the integration
  'metadata_not_found',
  'metadata_invalid',
  'issuer_mismatch',
  'resource_mismatch',
  'pkce_not_supported',
  'insecure_endpoint',
  'no_client',
  'shared_redirect_uri',
  // tools
  'no_tools',
  'tools_refused',
  // any of them
  'not_reached',
  'not_needed',
]);

/** One stage of a validation. */
export const validationStageSchema = z
  .object({
    stage: validationStageNameSchema.describe('What was tried.'),
    status: stageStatusSchema.describe(
      '`skipped`: not needed, or not reached because of an earlier stage.',
    ),
    code: stageCodeSchema
      .optional()
      .describe('Why it failed or was skipped, or what to change although it passed.'),
    milliseconds: z.number().nonnegative().describe('How long it took; 0 when it was skipped.'),
    hint: z.string().max(limits.validationMessage).optional().describe('What to do about it.'),
    certificateExpiresAt: timestampSchema
      .optional()
      .describe('When the certificate of the server expires, in a stage `tls` that has passed.'),
  })
  .register(components, { id: 'ValidationStage' });

/** What a test of an endpoint has found. */
export const validateIntegrationResponseSchema = z
  .object({
    status: validationStatusSchema,
    message: z
      .string()
      .max(limits.validationMessage)
      .describe('One sentence: what was found, which credential was used, and what to do.'),
    stages: z
      .array(validationStageSchema)
      .describe('Every stage in a fixed order, also those that were skipped.'),
  })
  .register(components, { id: 'ValidateIntegrationResponse' });

export type ValidationStatus = z.output<typeof validationStatusSchema>;
export type ValidationStageName = z.output<typeof validationStageNameSchema>;
export type StageStatus = z.output<typeof stageStatusSchema>;
export type StageCode = z.output<typeof stageCodeSchema>;
export type ValidationStage = z.output<typeof validationStageSchema>;
export type ValidateIntegrationResponse = z.output<typeof validateIntegrationResponseSchema>;
