import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { SearchField } from '../components/filter-bar.tsx';
import { Logo } from '../components/logo.tsx';

interface SearchDialogProps {
  readonly title: string;
  /** Of the search field. */
  readonly label: string;
  readonly searched: string;
  readonly onSearch: (words: string) => void;
  readonly onClose: () => void;
  /** At the end; by default Done, for lists from which one row after the other is added. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A list to pick from, below a search. */
export function SearchDialog(props: SearchDialogProps) {
  const { title, label, searched, onSearch, onClose, children } = props;
  const { action = <Done onClick={onClose} /> } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <SearchField label={label} value={searched} onChange={onSearch} />
      <div className="-mx-4 mt-3 max-h-[44vh] overflow-y-auto">{children}</div>
      <DialogActions>{action}</DialogActions>
    </Dialog>
  );
}

function Done({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button look="primary" onClick={onClick}>
      Done
    </Button>
  );
}

interface RowToAddProps {
  readonly name: string;
  /** What distinguishes two of the same name. */
  readonly hint: string;
  readonly isBusy?: boolean;
  readonly onAdd: () => void;
}

export function RowToAdd({ name, hint, isBusy = false, onAdd }: RowToAddProps) {
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line px-4 py-1 last:border-b-0">
      <RowText name={name} hint={hint} />
      <Button size="small" aria-label={`Add ${name}`} isBusy={isBusy} onClick={onAdd}>
        Add
      </Button>
    </li>
  );
}

interface RowToChooseProps {
  readonly name: string;
  /** What distinguishes two of the same name. */
  readonly hint: string;
  readonly onChoose: () => void;
}

/** A row that is one button, in a list of which one is chosen. */
export function RowToChoose({ name, hint, onChoose }: RowToChooseProps) {
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        onClick={onChoose}
        className="flex min-h-11 w-full items-center gap-2.5 px-4 py-1 text-left -outline-offset-2 hover:bg-hover"
      >
        <RowText name={name} hint={hint} />
      </button>
    </li>
  );
}

function RowText({ name, hint }: { readonly name: string; readonly hint: string }) {
  return (
    <>
      <Logo name={name} />
      <span className="min-w-0 flex-1">
        <span className="foreign line-clamp-1">{name}</span>
        <span className="foreign line-clamp-1 text-12 text-ink-3">{hint}</span>
      </span>
    </>
  );
}
