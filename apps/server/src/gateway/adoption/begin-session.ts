import type { Logger } from 'pino';
import type { Credentials } from '../../credentials/credentials.ts';
import type { ReadyCredential } from '../../credentials/outcome.ts';
import type { Egress } from '../../egress/egress.ts';
import type { HeaderPairs } from '../../egress/sender.ts';
import type { UpstreamEras } from '../../eras/upstream-eras.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import { createMcpClient, type McpClient, type McpResponse } from '../../mcp/client/client.ts';
import { isVerdict } from '../../mcp/client/find-eras.ts';
import {
  capabilitiesOf,
  INITIALIZED,
  initializeOf,
  isModernError,
  legacySessionOf,
} from '../../mcp/client/messages.ts';
import type { ClientHello } from '../../mcp/client-hello.ts';
import { LEGACY_VERSIONS } from '../../mcp/era.ts';
import { legacySpoken, versionAmongSeveral } from '../../mcp/spoken-eras.ts';
import type { BegunSession } from '../../sessions/sessions.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import {
  type ConnectPage,
  type CredentialError,
  connectPageOf,
  lackingScopes,
  rejectedCredential,
} from '../credential-error.ts';
import type { GatewayLimits } from '../limits.ts';
import {
  connectedMeanwhile,
  loopDetected,
  NoSessionBegun,
  upstreamRedirects,
} from '../problems.ts';
import { canGiveScopes, renewCredential, scopesAskedFor } from '../rejected-credential.ts';
import { upstreamSessionIdOf } from '../response-head.ts';
import { cdnLoopFor } from '../routes.ts';

export interface BeginSessionDeps {
  readonly egress: Pick<Egress, 'request'>;
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected' | 'wantScopes'>;
  readonly eras: Pick<UpstreamEras, 'note'>;
  readonly limits: Pick<GatewayLimits, 'adoption'>;
  /** Our origin. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** The upstream does not accept the credential: what the client's request is answered with. */
export class CredentialRefused extends Error {
  override readonly name = 'CredentialRefused';
  readonly error: CredentialError;

  constructor(error: CredentialError) {
    super('The upstream does not accept the credential.');
    this.error = error;
  }
}

/** Milliseconds for ending a session that is not used. */
const DISCARD_WITHIN = 5_000;

/**
 * Begins a session upstream with what the client has said to the connect server.
 *
 * @throws EgressError; CredentialRefused; ProblemError `session_not_found` if the upstream does not speak the
 *   version that the client speaks, `upstream_redirected`, `upstream_unreachable`, `credential_unavailable`
 */
export async function beginSession(
  call: Call,
  admission: Admission,
  credential: ReadyCredential,
  said: ClientHello,
  deps: BeginSessionDeps,
): Promise<BegunSession> {
  const { route } = admission;
  const { spokenEras } = route;
  // A client of the aggregate speaks to several servers: its version need not be that of each.
  const isBehind = call.request.behind?.session !== undefined;
  const hello = isBehind
    ? { ...said, protocolVersion: versionAmongSeveral(said.protocolVersion, spokenEras) }
    : said;
  const signal = AbortSignal.timeout(deps.limits.adoption);
  const asked = await initialize(call, admission, credential, hello, deps, signal);
  const { client, initialized } = asked;
  const session = legacySessionOf(initialized.response, initialized.headers);
  const note = (legacy: string | null) => deps.eras.note(route, { legacy });
  if (session === undefined) {
    if (isModernError(initialized.response)) note(null);
    throw isBehind ? failureBehind(initialized) : refusalOf(initialized);
  }
  const isSame = session.version === hello.protocolVersion;
  const isAgreed = isSame || (isBehind && LEGACY_VERSIONS.includes(session.version));
  if (isBehind && isAgreed) call.agreeOn(session.version);
  // Without agreement it is the newest of the upstream, which the next client is offered.
  if (!isSame || spokenEras.legacy === undefined) note(legacySpoken(session.version));
  const headers = [...session.headers, ...loopMarkFor(call, admission)];
  const discard = () => client.endSession(headers, AbortSignal.timeout(DISCARD_WITHIN));
  try {
    if (!isAgreed) throw connectedMeanwhile();
    await client.send({ ...INITIALIZED, headers }, signal);
    const level = call.request.behind?.session?.logLevel;
    if (level !== undefined && capabilitiesOf(initialized.response)?.logging !== undefined) {
      await client.send({ method: 'logging/setLevel', params: { level }, headers }, signal);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { upstreamSessionId: upstreamSessionIdOf(initialized.headers), discard };
}

/** The response to `initialize`, with another credential where the first was rejected and can be renewed. */
async function initialize(
  call: Call,
  admission: Admission,
  given: ReadyCredential,
  hello: ClientHello,
  deps: BeginSessionDeps,
  signal: AbortSignal,
): Promise<{ readonly client: McpClient; readonly initialized: McpResponse }> {
  const message = { ...initializeOf(hello), headers: loopMarkFor(call, admission) };
  const page = connectPageOf(deps.publicUrl, admission.route.integrationId);
  let credential = given;
  for (let renewals = 0; ; renewals += 1) {
    const client = clientFor(admission, credential, deps);
    const initialized = await client.send(message, signal);
    if (initialized.status !== 401) {
      await checkScopes(call, admission, initialized, page, deps);
      return { client, initialized };
    }
    const renewed = await renewCredential(call, admission, credential, deps, renewals);
    if (renewed?.kind !== 'ready') {
      throw new CredentialRefused(rejectedCredential(credential, renewed, page));
    }
    credential = renewed;
  }
}

function clientFor(
  { route, caller }: Admission,
  { headers: credential }: ReadyCredential,
  { egress }: BeginSessionDeps,
): McpClient {
  const { organizationId } = caller;
  const sender = { organizationId, userId: subjectIdOf(caller), credential };
  return createMcpClient(egress, route.target.url, sender, () => undefined);
}

/** @throws CredentialRefused if the person can give the scopes that the upstream asks for. */
async function checkScopes(
  call: Call,
  admission: Admission,
  { status, headers }: McpResponse,
  page: ConnectPage,
  deps: BeginSessionDeps,
): Promise<void> {
  const scopes = status === 403 ? scopesAskedFor(admission, headers) : undefined;
  if (scopes !== undefined && (await canGiveScopes(call, admission, scopes, deps))) {
    throw new CredentialRefused(lackingScopes(page));
  }
}

function loopMarkFor({ inbound }: Call, { route, token }: Admission): HeaderPairs {
  return [['cdn-loop', cdnLoopFor(inbound, route.loopMark, token)]];
}

/** A client of the aggregate goes on with the other servers. */
function failureBehind({ status, headers }: McpResponse): Error {
  if (status === 508) return loopDetected();
  return status >= 300 && status < 400
    ? upstreamRedirects(status)
    : new NoSessionBegun(status, headers['retry-after']);
}

/** A server that is there, but begins no session: it speaks another era, or it may do so later. */
function refusalOf({ status }: McpResponse): Error {
  if (status >= 300 && status < 400) return upstreamRedirects(status);
  return isVerdict({ status }) ? connectedMeanwhile() : new NoSessionBegun(status);
}
