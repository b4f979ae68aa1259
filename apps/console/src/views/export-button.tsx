import { useMutation } from '@tanstack/react-query';
import { say, sayProblem } from '../components/announcements.ts';
import { Button } from '../components/button.tsx';
import { csvOf } from '../components/csv.ts';
import { saveFile } from '../components/save-file.ts';

/** A table to save. */
export interface Exported {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether there are older rows that were not read. */
  readonly isPartial: boolean;
}

interface ExportButtonProps {
  /** The name of the file without its end. */
  readonly name: string;
  readonly read: () => Promise<Exported>;
}

/** Reads a table, further than it is in view, and saves it for other programs. */
export function ExportButton({ name, read }: ExportButtonProps) {
  const save = useMutation({
    mutationFn: read,
    onSuccess: ({ head, rows, isPartial }) => {
      saveFile(`${name}.csv`, 'text/csv', csvOf([head, ...rows]));
      if (!isPartial) return;
      const count = rows.length.toLocaleString('en');
      say(`${name}.csv holds the newest ${count} rows. Narrow the filters for older ones.`);
    },
    onError: (error) => sayProblem('Nothing was saved.', error),
  });
  return (
    <Button isBusy={save.isPending} onClick={() => save.mutate()}>
      {save.isPending ? 'Reading…' : 'Export CSV'}
    </Button>
  );
}
