import type { Member } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { applicationsOfQuery, type OwnedApplications } from './queries.ts';

const words = new Intl.ListFormat('en', { type: 'conjunction' });
/** Names that a sentence can hold. */
const NAMED = 8;

/** What ends with a member, and which of their applications stay. */
export function WhatEnds({ member: { id } }: { member: Member }) {
  const query = useQuery(applicationsOfQuery(id));
  return (
    <>
      <p>
        Their tokens, sessions, connections and places in groups end at once, and what they had
        allowed clients to do. The stored credentials are deleted. It cannot be undone.
      </p>
      <Load query={query} skeleton={<SkeletonText lines={1} />}>
        {(applications) => <p className="foreign text-ink-2">{staying(applications)}</p>}
      </Load>
    </>
  );
}

function staying({ owned, isPartial }: OwnedApplications): string {
  const names = owned.map(({ name }) => name);
  const rest = names.length - NAMED;
  const listed = rest > 0 ? [...names.slice(0, NAMED), `${rest} more`] : names;
  const sentence =
    names.length === 0
      ? 'They own no application.'
      : `Of their applications these stay, for admins: ${words.format(listed)}.`;
  return isPartial ? `${sentence} There may be others among the oldest.` : sentence;
}
