import { attachmentParamsSchema } from '../applications/applications.schema.ts';
import { handedOut } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { handOutResponseSchema } from './credentials.schema.ts';

export const credentialsContract = c.router(
  {
    handOut: {
      ...endpoint(routes.credentials.handOut, {
        codes: [
          'auth_mode_mismatch',
          'connection_required',
          'credential_unavailable',
          'integration_misconfigured',
          'not_credential_only',
          'policy_refused',
        ],
        responseExample: handedOut,
      }),
      summary: 'Get the credential of a credential-only integration',
      description:
        'For `internal_mcp_credentials`. The token is an access token with the scope ' +
        '`credentials` that was issued to this confidential application: for a person it gets ' +
        'that person’s credential (`user_token`, `oauth`), by client credentials the server token. ' +
        'The lease says when to ask again.',
      pathParams: attachmentParamsSchema,
      body: emptyBodySchema,
      responses: { 200: handOutResponseSchema },
    },
  },
  routerOptions,
);
