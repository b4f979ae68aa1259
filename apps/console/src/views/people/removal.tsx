import { memberAccessLabels, revokedAccessLabels } from '@gatehouse/contract';
import type { Member, MemberAccess, NamedRow, Newest } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { keysOf } from '../../api/keys-of.ts';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { firstNames } from '../first-names.ts';
import { memberAccessQuery } from './queries.ts';

/** What ends with a member, and which of their applications stay. */
export function WhatEnds({ member: { id } }: { member: Member }) {
  const query = useQuery(memberAccessQuery(id));
  return (
    <>
      <p>Removing them ends this at once. It cannot be undone.</p>
      <Load query={query} skeleton={<SkeletonText lines={4} />}>
        {({ access }) => (
          <>
            <Ending access={access} />
            <p className="foreign text-ink-2">
              <WithNames text={staying(access)} />
            </p>
          </>
        )}
      </Load>
    </>
  );
}

/** What there is of each kind, by name as far as a line holds. */
function Ending({ access }: { access: MemberAccess }) {
  const { sessions, leases } = access.sessions;
  const named = keysOf(memberAccessLabels).map((kind) => ({
    kind,
    count: access[kind].total,
    label: memberAccessLabels[kind],
    names: listed(access[kind]),
  }));
  const open = [
    { kind: 'sessions', count: sessions, label: revokedAccessLabels.sessions, names: '' },
    { kind: 'leases', count: leases, label: revokedAccessLabels.leases, names: '' },
  ];
  const lines = [...named, ...open].filter(({ count }) => count > 0);
  if (lines.length === 0) return <p>They have nothing that works now.</p>;
  return (
    <section aria-label="What ends">
      <dl className="grid gap-1.5">
        {lines.map(({ kind, count, label, names }) => (
          <div key={kind} className="grid grid-cols-[48px_1fr] gap-3">
            <dt className="col-start-2 row-start-1">
              {label}
              {names !== '' && (
                <span className="foreign block text-12 text-ink-2">
                  <WithNames text={names} />
                </span>
              )}
            </dt>
            <dd className="col-start-1 row-start-1 text-right font-semibold tabular-nums">
              {count}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function listed({ total, items }: Newest<NamedRow>): string {
  return firstNames(
    items.map(({ name }) => name),
    total,
  );
}

function staying({ applications, rules }: MemberAccess): string {
  const owned =
    applications.total === 0
      ? 'They own no application.'
      : `Of their applications these stay, for admins: ${listed(applications)}.`;
  if (rules.total === 0) return owned;
  const named = rules.total === 1 ? '1 policy names them' : `${rules.total} policies name them`;
  return `${owned} ${named}: nobody takes their place there.`;
}
