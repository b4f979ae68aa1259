import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Keys } from './keys.tsx';

export interface Command {
  readonly id: string;
  readonly label: string;
  /** What distinguishes two of the same label. */
  readonly hint?: string;
  readonly icon: IconName;
  /** What does the same without the menu. */
  readonly keys?: readonly string[];
  readonly run: () => void;
}

export interface CommandGroup {
  readonly label: string;
  readonly items: readonly Command[];
}

interface CommandDialogProps {
  readonly title: string;
  /** Of the field. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly groups: readonly CommandGroup[];
  readonly onClose: () => void;
  /** Below the list, such as why there is nothing in it. */
  readonly children?: ReactNode;
}

/** A field, and below it what can be done with Enter. The caller narrows the groups by the text. */
export function CommandDialog(props: CommandDialogProps) {
  const { title, label, text, onText, groups, onClose, children } = props;
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-30 mx-auto flex max-h-[70vh] max-w-xl flex-col rounded-12 bg-panel shadow-pop outline-none">
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            itemToStringValue={({ label: name }: Command) => name}
            value={text}
            onValueChange={onText}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4 text-ink-3">
              <Icon name="search" />
              <Autocomplete.Input
                // The dialog gives it the focus a frame later, and what is typed before would be lost.
                autoFocus
                aria-label={label}
                placeholder={label}
                className="h-12 min-w-0 flex-1 bg-transparent text-14 text-ink outline-none"
              />
            </div>
            <Autocomplete.List
              aria-label={title}
              className="min-h-0 overflow-y-auto p-1.5 empty:hidden"
            >
              {(group: CommandGroup) => (
                <Commands key={group.label} group={group} onClose={onClose} />
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface CommandsProps {
  readonly group: CommandGroup;
  readonly onClose: () => void;
}

function Commands({ group, onClose }: CommandsProps) {
  return (
    <Autocomplete.Group items={group.items} className="not-first:mt-2">
      <Autocomplete.GroupLabel className="px-2.5 py-1 text-12 font-medium text-ink-3">
        {group.label}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(command: Command) => (
          <Autocomplete.Item
            key={command.id}
            value={command}
            onClick={() => {
              onClose();
              command.run();
            }}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-6 px-2.5 text-ink-2 outline-none data-highlighted:bg-hover data-highlighted:text-ink"
          >
            <Icon name={command.icon} />
            <span className="foreign line-clamp-1 text-ink">{command.label}</span>
            <span className="foreign line-clamp-1 min-w-0 text-12 text-ink-3">{command.hint}</span>
            <span className="ml-auto">
              {command.keys !== undefined && <Keys keys={command.keys} />}
            </span>
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}
