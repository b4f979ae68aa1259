import { useState } from 'react';
import { CommandDialog, type CommandGroup } from '../../components/command-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Problem } from '../../components/problem.tsx';
import { narrowed } from './narrow.ts';
import type { OverlayProps } from './overlays.tsx';
import { useActions } from './use-actions.ts';
import { useHere } from './use-here.ts';
import { useNames } from './use-names.ts';
import { usePlaces } from './use-places.ts';

/** Goes to any view and to anything with a name, and does what a button does. */
export function CommandMenu({ onShow, onClose }: OverlayProps) {
  const [text, setText] = useState('');
  const here = useHere();
  const places = usePlaces();
  const actions = useActions(onShow);
  const names = useNames(text);
  const groups = [
    ...[here, places, actions].map((group) => narrowed(group, text)),
    ...names.groups,
  ].filter(({ items }) => items.length > 0);
  return (
    <CommandDialog
      title="Search and commands"
      label="Search for a name or a command"
      text={text}
      onText={setText}
      groups={groups}
      onClose={onClose}
    >
      <Below {...names} groups={groups} />
    </CommandDialog>
  );
}

interface BelowProps {
  readonly groups: readonly CommandGroup[];
  readonly isSearching: boolean;
  readonly isPartial: boolean;
  readonly error: unknown;
}

/** What the list does not say. */
function Below({ groups, isSearching, isPartial, error }: BelowProps) {
  const isNothing = groups.length === 0 && !isSearching && error === null;
  return (
    <>
      {error !== null && (
        <div className="border-t border-line">
          <Problem error={error} meaning="Some names are missing." />
        </div>
      )}
      <div role="status">
        {groups.length === 0 && isSearching && <Empty sentence="Searching…" />}
        {isNothing && <Empty sentence="Nothing has this name." />}
        {isPartial && (
          <p className="border-t border-line px-4 py-2 text-12 text-ink-2">
            The newest thousand applications, people and groups are searched.
          </p>
        )}
      </div>
    </>
  );
}
