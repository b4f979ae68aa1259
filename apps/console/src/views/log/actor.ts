import type { AuditEvent } from '@gatehouse/sdk';
import { labelOf } from '../../api/labels.ts';

const NAMELESS: Readonly<Record<string, string>> = {
  person: 'A person',
  application: 'An application',
  operator: 'The operator of the server',
  service: 'Gatehouse',
  unknown: 'Someone who has not signed in',
};

const VIA: Readonly<Record<string, string>> = {
  personal_token: 'their token',
  invitation: 'an invitation',
  grant: 'a grant',
  browser_session: 'the browser',
  sign_in: 'signing in',
  client_credentials: 'client credentials',
  command: 'the command',
  job: 'the job',
};

/** Who did it, by the name of that time. */
export function actorNameOf({ actor: { kind, name } }: AuditEvent): string {
  return name ?? labelOf(NAMELESS, kind);
}

/** By which means. Commands and jobs have names, other means only ids. */
export function viaOf({ actor: { via } }: AuditEvent): string {
  const label = labelOf(VIA, via.kind);
  const isNamed = via.kind === 'command' || via.kind === 'job';
  return isNamed && via.id !== null ? `${label} ${via.id}` : label;
}
