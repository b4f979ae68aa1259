import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { chipClass } from '../../components/chip.ts';
import type { Entry, groupDirectory } from '../directory.ts';

const PickDialog = lazy(async () => ({ default: (await import('./pick-dialog.tsx')).PickDialog }));

interface PickFilterProps {
  readonly label: 'Application' | 'Integration' | 'Person';
  /** What is narrowed, in the plural. */
  readonly of: 'Sessions' | 'Events' | 'Calls';
  readonly value: string | undefined;
  readonly directory: typeof groupDirectory;
  /** Further ones that are known: those in view. */
  readonly known: readonly Entry[];
  readonly onChange: (id: string | undefined) => void;
}

/** One application, integration or person, or any: there are too many for a menu. */
export function PickFilter({ label, of, value, directory, known, onChange }: PickFilterProps) {
  const [isPicking, setPicking] = useState(false);
  const query = useQuery({ ...directory, enabled: isPicking || value !== undefined });
  const entries = distinct([...known, ...(query.data?.entries ?? [])]);
  const chosen = entries.find(({ id }) => id === value)?.name ?? value;
  const choose = (id: string | undefined) => {
    setPicking(false);
    onChange(id);
  };
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setPicking(true)}
        className={chipClass(value !== undefined)}
      >
        {label}
        {chosen !== undefined && (
          <>
            : <bdi className="line-clamp-1 max-w-[24ch] break-all">{chosen}</bdi>
          </>
        )}
      </button>
      <Suspense fallback={null}>
        {isPicking && (
          <PickDialog
            label={label}
            of={of}
            query={{ ...query, data: query.data && { ...query.data, entries } }}
            isChosen={value !== undefined}
            onChoose={choose}
            onClose={() => setPicking(false)}
          />
        )}
      </Suspense>
    </>
  );
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Each once, in the order of their names. */
function distinct(entries: readonly Entry[]): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((one, other) => collator.compare(one.name, other.name));
}
