import { authModeLabels } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { labelOf } from '../../api/labels.ts';
import { Button } from '../../components/button.tsx';
import { changedFields, type EditValues, editLabels, valuesOf } from './edit-values.ts';

interface MeanwhileProps {
  /** As the form began. */
  readonly base: Integration;
  /** As it is now. */
  readonly theirs: Integration;
  readonly mine: EditValues;
  /** Goes on from `theirs`, with what is kept of the form. */
  readonly onContinue: (kept: Partial<EditValues>) => void;
}

/** Someone else has saved first: what they changed, beside what was typed here. */
export function Meanwhile({ base, theirs, mine, onContinue }: MeanwhileProps) {
  const now = valuesOf(theirs);
  const changed = changedFields(base, now);
  const typed = changedFields(base, mine);
  const pick = (fields: readonly (keyof EditValues)[]): Partial<EditValues> =>
    Object.fromEntries(fields.map((field) => [field, mine[field]]));
  const both = typed.filter((field) => changed.includes(field));
  return (
    <div role="alert" className="grid gap-3 rounded-6 bg-warn-soft px-4 py-3">
      <p className="font-medium">
        {theirs.archivedAt === null
          ? 'Someone else changed it while you were here. Nothing of yours is lost.'
          : 'Someone else archived it while you were here.'}
      </p>
      <dl className="grid gap-1">
        {changed.map((field) => (
          <div key={field} className="grid gap-x-3 wide:grid-cols-[180px_1fr]">
            <dt className="text-ink-2">{editLabels[field]} is now</dt>
            <dd className="foreign">{textOf(field, now)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => onContinue(pick(typed))}>
          {both.length === 0 ? 'Keep both changes' : 'Keep my changes'}
        </Button>
        <Button
          size="small"
          onClick={() => onContinue(pick(typed.filter((field) => !both.includes(field))))}
        >
          Take their values
        </Button>
      </div>
    </div>
  );
}

function textOf(field: keyof EditValues, values: EditValues): string {
  if (field === 'authMode') return labelOf(authModeLabels, values.authMode);
  const value = values[field];
  if (typeof value === 'string') return value || 'not set';
  return value === undefined ? 'one token' : JSON.stringify(value);
}
