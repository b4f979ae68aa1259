import { errors } from '../oidc-provider.ts';

/** RFC 8693 section 3. */
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** The parameters of section 2.1. Others are ignored. */
export const EXCHANGE_PARAMETERS = [
  ...['subject_token', 'subject_token_type', 'requested_token_type', 'resource', 'audience'],
  ...['scope', 'actor_token', 'actor_token_type'],
];

/** RFC 8693 lets a client repeat these; we accept one value. */
export const REPEATABLE = ['resource', 'audience'];

/** What a client asks for. */
export interface Exchange {
  /** An access token of ours. */
  readonly subjectToken: string;
  /** The URL of an integration. */
  readonly resource: string | undefined;
  /** The id of an integration. */
  readonly audience: string | undefined;
}

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @throws InvalidRequest, InvalidTarget */
export function readExchange(parameters: Parameters): Exchange {
  for (const name of ['scope', 'actor_token', 'actor_token_type']) {
    if (parameters[name] !== undefined) {
      throw new errors.InvalidRequest(`${name} is not supported here`);
    }
  }
  const { subject_token: subjectToken, requested_token_type: requested } = parameters;
  if (typeof subjectToken !== 'string') throw new errors.InvalidRequest('subject_token is missing');
  if (parameters.subject_token_type !== ACCESS_TOKEN_TYPE) {
    throw new errors.InvalidRequest(`subject_token_type must be ${ACCESS_TOKEN_TYPE}`);
  }
  if (requested !== undefined && requested !== ACCESS_TOKEN_TYPE) {
    throw new errors.InvalidRequest(`requested_token_type must be ${ACCESS_TOKEN_TYPE}`);
  }
  const resource = oneOf(parameters.resource);
  const audience = oneOf(parameters.audience);
  if (resource === undefined && audience === undefined) {
    throw new errors.InvalidTarget(
      'name the integration by its URL in resource or by its id in audience',
    );
  }
  return { subjectToken, resource, audience };
}

function oneOf(value: Parameters[string]): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new errors.InvalidTarget('name one integration');
}
