import { ProblemError } from '../platform/problem-error.ts';
import { sessionSealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';
import type { NewSession, SessionRow } from './repository.ts';

/** An adopted session is stored also where the upstream issues no ids. */
const NO_ID = '';

/** The upstream's session id as it is stored: it opens only for the destination it was sealed for. */
export function sealUpstreamId(
  vault: Vault,
  { organizationId, destination }: SessionRoute,
  { subjectId: userId }: SessionCaller,
  { id, upstreamSessionId = NO_ID }: { id: string; upstreamSessionId: string | undefined },
): Pick<NewSession, 'sealed' | 'keyId'> {
  const context = sessionSealContext({ organizationId, destination, id, userId });
  const { keyId, sealed } = vault.seal(upstreamSessionId, context);
  return { sealed, keyId };
}

/**
 * Undefined where the upstream issues no ids.
 *
 * @throws ProblemError `session_not_found` once the integration has moved: the session does not exist.
 */
export function openUpstreamId(
  vault: Vault,
  row: SessionRow,
  { destination }: SessionRoute,
): string | undefined {
  const { keyId, sealed } = row;
  if (keyId === null || sealed === null) throw sessionNotFound();
  try {
    const context = sessionSealContext({ ...row, userId: row.subjectId, destination });
    const upstreamSessionId = vault.open({ keyId, sealed }, context);
    return upstreamSessionId === NO_ID ? undefined : upstreamSessionId;
  } catch {
    throw sessionNotFound();
  }
}

export function sessionNotFound(): ProblemError {
  return new ProblemError('session_not_found', 'There is no such open session; initialize again.');
}
