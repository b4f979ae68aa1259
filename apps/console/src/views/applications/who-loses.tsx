import type { WhatIfChange, WhatIfPerson } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { WithNames } from '../../components/with-names.tsx';
import { useMe } from '../../shell/me.ts';
import { whatIfQuery } from '../access/queries.ts';
import { peopleDirectory } from '../directory.ts';
import { firstNames } from '../first-names.ts';
import { Previewed } from './previewed.tsx';

/** How many people lose the use of something by a change, and the first of them by their names. For admins. */
export function WhoLoses({ change }: { change: WhatIfChange }) {
  const query = useQuery(whatIfQuery(change));
  return (
    <Previewed query={query} unknown="It is not known who would lose access.">
      {({ people: { lost, total } }) => <Losing lost={lost} isAll={lost.length === total.lost} />}
    </Previewed>
  );
}

interface LosingProps {
  readonly lost: readonly WhatIfPerson[];
  readonly isAll: boolean;
}

function Losing({ lost, isAll }: LosingProps) {
  const ids = [...new Set(lost.map(({ userId }) => userId))];
  const directory = useQuery({ ...peopleDirectory(useMe()), enabled: ids.length > 0 });
  if (ids.length === 0) return <p>Nobody loses the use of anything.</p>;
  const nameOf = new Map(directory.data?.entries.map(({ id, name }) => [id, name]));
  const names = ids.flatMap((id) => nameOf.get(id) ?? []);
  const count = ids.length.toLocaleString('en');
  const who = ids.length === 1 ? '1 person loses' : `${count} people lose`;
  return (
    <div>
      <p>{isAll ? who : `More than ${count} people lose`} access.</p>
      {names.length > 0 && (
        <p className="foreign text-12 text-ink-2">
          <WithNames text={firstNames(names, ids.length)} />
        </p>
      )}
    </div>
  );
}
