import type { FormEventHandler, ReactNode } from 'react';
import { useBegunForm } from '../api/begun-forms.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { FormProblem } from './problem.tsx';

interface DialogFormProps {
  /** Why it was not saved; null at first. */
  readonly error: unknown;
  /** Whether something is typed that would be lost. */
  readonly isDirty: boolean;
  /** What its button says. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Whether it is sent only with a change. */
  readonly needsChange?: boolean;
  readonly onSubmit: FormEventHandler;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form that fills a dialog: its fields between what went wrong and the buttons. */
export function DialogForm(props: DialogFormProps) {
  const { error, isDirty, action, isBusy, needsChange = false } = props;
  useBegunForm(isDirty);
  return (
    <form noValidate onSubmit={props.onSubmit} className="grid gap-4">
      {error !== null && <FormProblem error={error} />}
      {props.children}
      <DialogActions>
        <Button onClick={props.onClose}>Cancel</Button>
        <Button look="primary" type="submit" disabled={needsChange && !isDirty} isBusy={isBusy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
