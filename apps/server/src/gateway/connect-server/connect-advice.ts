import type { SpokenEras } from '../../mcp/spoken-eras.ts';
import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import type { NeededUser } from '../admission.ts';
import type { ConnectError } from '../credential-error.ts';
import type { Route } from '../routes.ts';

/** What a client must learn: who must act, how, and on which page. */
export interface ConnectAdvice {
  readonly reason: NeededUser['reason'];
  /** The integration's name, as an admin chose it, shortened. */
  readonly name: string;
  /** Of every call that is not answered. */
  readonly error: ConnectError;
  readonly connectUrl: string;
  /** Those that the upstream speaks: what is offered before must go on after. */
  readonly eras: SpokenEras;
  /** The client's, if it has one. */
  readonly session: ConnectSession | undefined;
}

/** Characters of a name. */
const MAX_NAME = 80;

export function adviceFor(
  { reason }: NeededUser,
  { integrationName }: Pick<Route, 'integrationName'>,
  error: ConnectError,
  session: ConnectSession | undefined,
  eras: SpokenEras,
): ConnectAdvice {
  return {
    reason,
    name: shownName(integrationName),
    error,
    connectUrl: error.data.connectUrl,
    session,
    eras,
  };
}

/** An integration's name, shortened. */
export function shownName(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  return `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}
