import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { Directory } from '../directory.ts';
import { useNames } from '../use-names.ts';

const PickerDialog = lazy(async () => ({
  default: (await import('./picker-dialog.tsx')).PickerDialog,
}));

/** What this needs of a query. */
export interface DirectoryQuery {
  readonly data: Directory | undefined;
  readonly error: unknown;
}

interface NamedListProps {
  readonly label: string;
  /** What they are, in the plural. */
  readonly of: string;
  readonly query: DirectoryQuery;
  readonly ids: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
}

/** Rows that rules name, by their names, and the way to name more. */
export function NamedList({ label, of, query, ids, error, onChange }: NamedListProps) {
  const [isPicking, setPicking] = useState(false);
  const nameOf = useNames();
  return (
    <fieldset className="grid justify-items-start gap-1.5">
      <legend className="mb-1 font-medium">{label}</legend>
      {ids.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {ids.map((id) => (
            <li
              key={id}
              className="flex min-h-7 items-center gap-1 rounded-6 bg-sunken py-0.5 pr-1 pl-2.5"
            >
              <span className="foreign">{nameOf(id)}</span>
              <Button
                look="plain"
                size="small"
                aria-label={`Remove ${nameOf(id)}`}
                onClick={() => onChange(ids.filter((other) => other !== id))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <p className="foreign text-bad">{error}</p>}
      <Button size="small" onClick={() => setPicking(true)}>
        Add {of}
      </Button>
      {isPicking && (
        <Suspense fallback={null}>
          <PickerDialog
            title={`Add ${of}`}
            of={of}
            query={query}
            chosen={ids}
            onPick={(id) => onChange([...ids, id])}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
