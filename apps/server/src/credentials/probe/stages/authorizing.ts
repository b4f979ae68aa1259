import { authorizationFailures, type StageCode } from '@gatehouse/contract';
import type { UpstreamOauthCode } from '../../oauth/upstream-error.ts';
import type { CredentialOutcome } from '../../outcome.ts';
import type { Authorization } from '../authorization.ts';
import type { Finding, ToolsFinding } from '../finding.ts';
import {
  failed,
  isAccepted,
  NOT_NEEDED,
  NOT_REACHED,
  PASSED,
  type StageOutcome,
  type StageOutcomes,
  skipped,
} from './reaching.ts';

const TOOLS: Readonly<Record<ToolsFinding, StageOutcome>> = {
  listed: PASSED,
  none: skipped('no_tools'),
  refused: failed('tools_refused'),
  silent: failed('timed_out'),
  untried: NOT_REACHED,
};

/** Connecting works, but the client should be registered with the integration's own redirect URI. */
const SHARED_REDIRECT_URI: StageOutcome = { status: 'passed', code: 'shared_redirect_uri' };

/** Our codes that have another name in a stage. */
const CODES: Partial<Record<UpstreamOauthCode, StageCode>> = {
  timeout: 'timed_out',
  egress_denied: 'address_not_allowed',
};

/** The stages `challenge`, `credential` and `tools`. */
export function credentialOutcomes(
  outcome: CredentialOutcome,
  finding: Finding,
  isInternal: boolean,
): StageOutcomes {
  switch (finding.kind) {
    case 'mcp':
      return { credential: acceptedOf(outcome), tools: TOOLS[finding.tools] };
    case 'unauthorized':
      return { ...refusedOf(outcome, finding), tools: NOT_REACHED };
    default: {
      const isOther = finding.kind === 'old_transport' || finding.kind === 'other';
      const isReached = finding.kind === 'other' ? isAccepted(finding) : isOther;
      return isInternal && isReached
        ? { credential: acceptedOf(outcome) }
        : { challenge: NOT_REACHED, credential: NOT_REACHED, tools: NOT_REACHED };
    }
  }
}

/** The stages `discovery` and `registration`, which mode `oauth` has. */
export function authorizationOutcomes(
  authorization: Authorization | undefined,
  { kind }: Finding,
): StageOutcomes {
  if (authorization === undefined) return {};
  const isReached = kind === 'mcp' || kind === 'unauthorized';
  if (!isReached) return { discovery: NOT_REACHED, registration: NOT_REACHED };
  if (authorization.kind === 'missing') {
    return { discovery: failed(codeOf(authorization.code)), registration: NOT_REACHED };
  }
  const { server, ways, hasSharedRedirectUri } = authorization;
  const known: StageOutcome = hasSharedRedirectUri ? SHARED_REDIRECT_URI : PASSED;
  // A client that an admin entered may be right even if nothing is published.
  if (server.isAssumed) {
    const registration = ways[0] === 'static' ? known : NOT_REACHED;
    return { discovery: failed('metadata_not_found'), registration };
  }
  return { discovery: PASSED, registration: ways.length > 0 ? known : failed('no_client') };
}

/** The stage `credential` if no request was refused for it. */
function acceptedOf(outcome: CredentialOutcome): StageOutcome {
  if (outcome.kind !== 'ready') return missingOf(outcome.reason);
  return outcome.source === 'none' ? NOT_NEEDED : PASSED;
}

/** Without a connection there is nothing to try; anything else has to be fixed. */
function missingOf(reason: Exclude<CredentialOutcome, { kind: 'ready' }>['reason']): StageOutcome {
  return reason === 'connection_required' ? skipped(reason) : failed(reason);
}

function refusedOf(
  outcome: CredentialOutcome,
  { status, isChallenge }: Extract<Finding, { kind: 'unauthorized' }>,
): StageOutcomes {
  const isSent = outcome.kind === 'ready' && outcome.source !== 'none';
  if (isSent && status === 403) {
    return { challenge: NOT_NEEDED, credential: failed('permission_denied') };
  }
  const challenge = isChallenge ? PASSED : failed('challenge_missing');
  if (outcome.kind !== 'ready') return { challenge, credential: missingOf(outcome.reason) };
  return {
    challenge,
    credential: failed(isSent ? 'credential_rejected' : 'credential_required'),
  };
}

function codeOf(code: UpstreamOauthCode): StageCode {
  return CODES[code] ?? (isStageCode(code) ? code : 'response_invalid');
}

function isStageCode(code: UpstreamOauthCode): code is UpstreamOauthCode & StageCode {
  return Object.hasOwn(authorizationFailures, code);
}
