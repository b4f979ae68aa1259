import { Link } from '@tanstack/react-router';
import { keysOf } from '../../api/keys-of.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import type { GraphEdge, GraphNode } from './graph.ts';
import { accessLabels } from './labels.ts';
import { AccessLine } from './line.tsx';
import type { AccessSearch } from './search.ts';

interface NodeFactsProps {
  readonly node: GraphNode;
  readonly edges: readonly GraphEdge[];
  readonly search: AccessSearch;
  readonly change: (changed: AccessSearch) => void;
}

/** What an application or integration is attached to, and the way to it. */
export function NodeFacts({
  node: { id, kind, isArchived },
  edges,
  search,
  change,
}: NodeFactsProps) {
  const own = edges.filter(({ application, integration }) =>
    [application.id, integration.id].includes(id),
  );
  const counts = keysOf(accessLabels).flatMap((access) => {
    const count = own.filter((edge) => edge.access === access).length;
    return count === 0 ? [] : [[access, count] as const];
  });
  const isApplication = kind === 'application';
  const others = `${own.length} ${isApplication ? 'integration' : 'application'}${own.length === 1 ? '' : 's'}`;
  const isOnly = search.only ?? false;
  return (
    <>
      <p>
        {isApplication ? `An application with ${others}.` : `An integration of ${others}.`}
        {isArchived && ' It is archived.'}
      </p>
      {counts.length > 0 && (
        <ul className="grid gap-1">
          {counts.map(([access, count]) => (
            <li key={access}>
              <AccessLine access={access} words={`${accessLabels[access]}: ${count}`} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to={isApplication ? '/applications/$id' : '/integrations/$id'}
          params={{ id }}
          className={buttonClass('secondary', 'small')}
        >
          Open
        </Link>
        <Button
          size="small"
          look="plain"
          aria-pressed={isOnly}
          onClick={() => change({ only: !isOnly || undefined })}
        >
          {isOnly ? 'Show all' : 'Hide the rest'}
        </Button>
      </div>
    </>
  );
}
