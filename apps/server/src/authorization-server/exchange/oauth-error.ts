import type { ProblemCode } from '@gatehouse/contract';
import { ProblemError } from '../../platform/problem-error.ts';
import { errors } from '../oidc-provider.ts';

/** The person has to connect first. */
export class ConnectionRequired extends errors.InvalidTarget {
  readonly connectUrl: string;

  constructor(description: string, connectUrl: string) {
    super(description);
    this.connectUrl = connectUrl;
  }
}

/** Refusals that are about the integration that the client has named. */
const TARGET_CODES: readonly ProblemCode[] = [
  'auth_mode_mismatch',
  'forbidden',
  'integration_misconfigured',
  'not_credential_only',
  'not_found',
  'policy_refused',
];

/** Turns a refusal to hand out into an OAuth error (RFC 8693 section 2.2.2). Any other error stays as it is. */
export function toExchangeError(thrown: unknown): unknown {
  if (!(thrown instanceof ProblemError)) return thrown;
  const { code, message, connectUrl } = thrown;
  if (connectUrl !== undefined) return new ConnectionRequired(message, connectUrl);
  if (TARGET_CODES.includes(code)) return new errors.InvalidTarget(message);
  return code === 'unauthenticated' ? new errors.InvalidRequest(message) : thrown;
}
