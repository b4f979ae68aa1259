import type { IntegrationPolicyInput } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { isolated, WithNames } from '../../components/with-names.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { type Limited, policySentences } from '../policy-sentences.ts';
import { useNames } from '../use-names.ts';
import type { PolicyTarget } from './policy-form.tsx';
import { previewOf } from './preview.ts';

interface PreviewDialogProps {
  readonly target: PolicyTarget;
  /** All rules as they would be; null without rules. */
  readonly policy: IntegrationPolicyInput | null;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Before rules are saved: what they say, and who would lose and gain what. */
export function PreviewDialog(props: PreviewDialogProps) {
  const { target, policy, isSaving, onSave, onClose } = props;
  const isAdmin = useIsAdmin();
  const isRemoval = policy === null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isRemoval ? `Remove all rules of ${target.name}?` : `The rules of ${target.name}`}
    >
      <div className="grid gap-4">
        <Sentences policy={policy ?? {}} limited={target.limited} />
        {isAdmin ? (
          <Effects target={target} policy={policy} />
        ) : (
          <p className="text-ink-2">Only admins can see who gains or loses access.</p>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <Button look={isRemoval ? 'danger' : 'primary'} isBusy={isSaving} onClick={onSave}>
          {isSaving ? 'Saving…' : isRemoval ? 'Remove all rules' : 'Save'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface SentencesProps {
  readonly policy: IntegrationPolicyInput;
  readonly limited: Limited;
}

function Sentences({ policy, limited }: SentencesProps) {
  const nameOf = useNames();
  const further = Object.entries(policy.perApplication ?? {}).flatMap(([id, own]) =>
    policySentences(own, nameOf, 'person').map(
      (sentence) => `In ${isolated(nameOf(id))}: ${sentence}`,
    ),
  );
  const sentences = [...policySentences(policy, nameOf, limited), ...further];
  if (sentences.length === 0) return <p>They restrict nothing.</p>;
  return (
    <ul className="grid gap-1">
      {sentences.map((sentence) => (
        <li key={sentence} className="foreign">
          <WithNames text={sentence} />
        </li>
      ))}
    </ul>
  );
}

function Effects({ target, policy }: Pick<PreviewDialogProps, 'target' | 'policy'>) {
  const nameOf = useNames();
  const change = target.change(policy);
  const { data, error, refetch } = useQuery({
    queryKey: ['what-if', change],
    queryFn: () =>
      gatehouse.request('POST', '/applications/access-graph/what-if', {
        body: { changes: [change] },
      }),
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    if (error === null) return <SkeletonText lines={3} />;
    return (
      <div className="rounded-6 bg-bad-soft">
        <Problem
          error={error}
          meaning="The effect of the new rules is not known. You can still save them."
          onRetry={() => void refetch()}
        />
      </div>
    );
  }
  const parts = previewOf(data, nameOf);
  if (parts.length === 0) {
    return <p>Nobody gains or loses access, and the same tools are allowed.</p>;
  }
  return parts.map(({ title, lines }) => (
    <section key={title} className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <ul className="grid gap-0.5 text-ink-2">
        {lines.map((line) => (
          <li key={line} className="foreign">
            <WithNames text={line} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
