import { isApiError } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../shell/me.ts';
import { applicationQuery } from '../applications/queries.ts';
import { peopleDirectory } from '../directory.ts';
import { groupQuery } from '../groups/queries.ts';
import { integrationQuery } from '../integrations/queries.ts';

interface NamedProps {
  readonly kind: string;
  readonly id: string | null;
  /** Of that time; null for the one that it has now. */
  readonly name: string | null;
}

const LINK = 'underline hover:text-accent';
const ONCE = { refetchInterval: false, staleTime: 60_000 } as const;

/** Who or what an event names, with the way there if it still exists. */
export function Named({ kind, id, name }: NamedProps) {
  if (id === null) return name ?? kind;
  switch (kind) {
    case 'integration':
    case 'connection':
      return <NamedIntegration id={id.split(':', 1)[0] ?? id} name={name} />;
    case 'application':
      return <NamedApplication id={id} name={name} />;
    case 'group':
      return <NamedGroup id={id} name={name} />;
    case 'person':
    case 'member':
      return <NamedPerson id={id} name={name} />;
    default:
      return name ?? `A ${kind}`;
  }
}

type OneProps = Omit<NamedProps, 'kind'> & { readonly id: string };

function NamedIntegration({ id, name }: OneProps) {
  const { data, error } = useQuery({ ...integrationQuery(id), ...ONCE });
  if (data === undefined) return <Unlinked id={id} name={name} error={error} />;
  return (
    <Link to="/integrations/$id" params={{ id }} className={LINK}>
      {name ?? data.integration.name}
    </Link>
  );
}

function NamedApplication({ id, name }: OneProps) {
  const { data, error } = useQuery({ ...applicationQuery(id), ...ONCE });
  if (data === undefined) return <Unlinked id={id} name={name} error={error} />;
  return (
    <Link to="/applications/$id" params={{ id }} className={LINK}>
      {name ?? data.application.name}
    </Link>
  );
}

function NamedGroup({ id, name }: OneProps) {
  const { data, error } = useQuery({ ...groupQuery(id), ...ONCE });
  if (data === undefined) return <Unlinked id={id} name={name} error={error} />;
  return (
    <Link to="/groups/$id" params={{ id }} className={LINK}>
      {name ?? data.group.name}
    </Link>
  );
}

/** People are found by their address, which an event does not have. */
function NamedPerson({ id, name }: OneProps) {
  const { data } = useQuery(peopleDirectory(useMe()));
  const person = data?.entries.find((entry) => entry.id === id);
  if (person === undefined) return name ?? id;
  return (
    <Link to="/people" search={{ find: person.hint }} className={LINK}>
      {name ?? person.name}
    </Link>
  );
}

interface UnlinkedProps {
  readonly id: string;
  readonly name: string | null;
  readonly error: unknown;
}

function Unlinked({ id, name, error }: UnlinkedProps): ReactNode {
  const isGone = isApiError(error) && error.status === 404;
  return (
    <>
      {name ?? id}
      {isGone && <span className="text-ink-3"> (no longer exists)</span>}
    </>
  );
}
