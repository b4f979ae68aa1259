import type { WhatIfPerson, WhatIfResponse, WhatIfTool } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useMe } from '../../shell/me.ts';
import { peopleDirectory } from '../directory.ts';
import { whatIfQuery } from './queries.ts';
import type { Pair } from './shown.ts';

interface WhatIfProps {
  readonly kind: 'attach' | 'detach';
  readonly pair: Pair;
  readonly isAsked: boolean;
  readonly onAsk: (isAsked: boolean) => void;
}

/** What would follow from adding or removing an edge. Nothing is changed. */
export function WhatIf({ kind, pair: { application, integration }, isAsked, onAsk }: WhatIfProps) {
  const pair = { applicationId: application.id, integrationId: integration.id };
  const query = useQuery({ ...whatIfQuery({ kind, ...pair }), enabled: isAsked });
  if (!isAsked) {
    return (
      <div>
        <Button size="small" onClick={() => onAsk(true)}>
          {kind === 'attach' ? 'Try with it' : 'Try without it'}
        </Button>
      </div>
    );
  }
  return (
    <section aria-label="What if" className="grid gap-2 rounded-6 bg-sunken p-3">
      <h3 className="font-medium">{kind === 'attach' ? 'With it' : 'Without it'}</h3>
      <Load query={query} skeleton={<SkeletonText lines={2} />}>
        {(response) => <Outcome response={response} />}
      </Load>
      <p className="text-12 text-ink-3">Nothing is changed by asking.</p>
      <div>
        <Button size="small" look="plain" onClick={() => onAsk(false)}>
          As it is
        </Button>
      </div>
    </section>
  );
}

function Outcome({ response: { people, tools } }: { response: WhatIfResponse }) {
  const { gained, lost } = people.total;
  const differing = gained + lost + tools.total.gained + tools.total.lost;
  if (differing === 0) return <p>Nobody would gain or lose anything.</p>;
  return (
    <>
      <Who verb="gain" total={gained} people={people.gained} />
      <Who verb="lose" total={lost} people={people.lost} />
      <Tools said="would be allowed" total={tools.total.gained} tools={tools.gained} />
      <Tools said="would be refused" total={tools.total.lost} tools={tools.lost} />
    </>
  );
}

/** Names that are shown. The number counts all. */
const MOST = 20;

interface ToolsProps {
  readonly said: string;
  readonly total: number;
  readonly tools: readonly WhatIfTool[];
}

function Tools({ said, total, tools }: ToolsProps) {
  if (total === 0) return null;
  const names = tools.slice(0, MOST).map(({ name }) => name);
  return (
    <div className="text-ink-2">
      <p>
        {total === 1 ? '1 tool' : `${total} tools`} {said}:
      </p>
      <ul className="list-disc pl-5">
        {names.map((name) => (
          <li key={name} className="foreign">
            {name}
          </li>
        ))}
        {total > names.length && <li>and {total - names.length} more</li>}
      </ul>
    </div>
  );
}

interface WhoProps {
  readonly verb: 'gain' | 'lose';
  readonly total: number;
  readonly people: readonly WhatIfPerson[];
}

function Who({ verb, total, people }: WhoProps) {
  const me = useMe();
  const query = useQuery({ ...peopleDirectory(me), enabled: total > 0 });
  if (total === 0) return null;
  const nameOf = (userId: string) => query.data?.entries.find(({ id }) => id === userId)?.name;
  const names = people.slice(0, MOST).flatMap(({ userId }) => nameOf(userId) ?? []);
  const rest = total - names.length;
  return (
    <div>
      <p>
        {total === 1 ? '1 person' : `${total} people`} would {verb} it.
      </p>
      {names.length > 0 && (
        <ul className="list-disc pl-5 text-ink-2">
          {names.map((name, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: people may have the same name.
            <li key={place} className="foreign">
              {name}
            </li>
          ))}
          {rest > 0 && <li>and {rest} more</li>}
        </ul>
      )}
    </div>
  );
}
