import type { IntegrationPolicyInput } from '@gatehouse/contract';
import { Button } from '../../components/button.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { type Limited, policySentences } from '../policy-sentences.ts';
import { useNames } from '../use-names.ts';
import { changedPlaces, type Place, partOf, rulesAt } from './rules.ts';

const LABELS: Readonly<Record<Place['part'], string>> = {
  people: 'Who may use it',
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  limits: 'How often',
};

interface MeanwhileProps {
  /** As the form began. */
  readonly base: IntegrationPolicyInput;
  /** As they are now. */
  readonly theirs: IntegrationPolicyInput;
  readonly mine: IntegrationPolicyInput;
  readonly limited: Limited;
  /** Goes on from `theirs`, with these places as they were typed. */
  readonly onContinue: (kept: Place[]) => void;
}

/** Someone else has saved first: what they changed, beside what was typed here. */
export function Meanwhile({ base, theirs, mine, limited, onContinue }: MeanwhileProps) {
  const nameOf = useNames();
  const changed = changedPlaces(base, theirs);
  const typed = changedPlaces(base, mine);
  const isTheirs = (place: Place) =>
    changed.some(
      ({ applicationId, part }) => applicationId === place.applicationId && part === place.part,
    );
  const isMet = typed.some(isTheirs);
  return (
    <div role="alert" className="grid gap-3 rounded-6 bg-warn-soft px-4 py-3">
      <p className="font-medium">
        {changed.length > 0
          ? 'Someone else has changed the rules in the meantime. Your changes are not lost.'
          : 'Someone else has changed something other than the rules in the meantime. Your changes are not lost.'}
      </p>
      <dl className="grid gap-1">
        {changed.map(({ applicationId, part }) => (
          <div key={`${applicationId} ${part}`} className="grid gap-x-3 wide:grid-cols-[180px_1fr]">
            <dt className="foreign text-ink-2">
              {LABELS[part]}
              {applicationId !== undefined && ` in ${nameOf(applicationId)}`}
            </dt>
            <dd className="foreign">
              <WithNames
                text={
                  policySentences(
                    partOf(rulesAt(theirs, applicationId), part),
                    nameOf,
                    applicationId === undefined ? limited : 'person',
                  ).join(' ') || 'No rules.'
                }
              />
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => onContinue(typed)}>
          {isMet ? 'Keep my changes' : 'Keep both changes'}
        </Button>
        <Button size="small" onClick={() => onContinue(typed.filter((place) => !isTheirs(place)))}>
          Use their rules
        </Button>
      </div>
    </div>
  );
}
