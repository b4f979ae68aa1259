import { useState } from 'react';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CommandDialog, type CommandGroup } from '../../components/command-dialog.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuChoices, MenuItem } from '../../components/menu.tsx';
import { LONG, unavailable } from './samples.ts';
import { Specimen, State } from './specimen.tsx';

const ignore = () => undefined;

const GROUPS: readonly CommandGroup[] = [
  {
    label: 'Go to',
    items: [
      { id: 'home', label: 'Home', icon: 'home', keys: ['g', 'h'], run: ignore },
      { id: 'long', label: LONG, hint: 'mcp.example.com', icon: 'plug', run: ignore },
    ],
  },
  { label: 'Do', items: [{ id: 'add', label: 'Add integration', icon: 'plus', run: ignore }] },
];

/** What opens above a view. */
export function Above() {
  const [opened, setOpened] = useState<'dialog' | 'commands'>();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<'newest' | 'name'>('newest');
  const close = () => setOpened(undefined);
  return (
    <>
      <Specimen of={['Menu', 'MenuItem', 'MenuChoices']}>
        <State name="things to do, and choices">
          <Menu className={buttonClass()} trigger="Things to do">
            <MenuItem onSelect={ignore}>Archive</MenuItem>
            <MenuItem onSelect={ignore}>Delete</MenuItem>
          </Menu>
          <Menu
            className={buttonClass()}
            label="Choices"
            trigger={<Icon name="more" />}
            align="end"
          >
            <MenuChoices
              value={order}
              options={[
                ['newest', 'Newest first'],
                ['name', 'By name'],
              ]}
              onChange={setOrder}
            />
          </Menu>
        </State>
      </Specimen>
      <Specimen of={['Dialog', 'DialogActions', 'CommandDialog']}>
        <State name="opened by a button">
          <Button onClick={() => setOpened('dialog')}>Open the dialog</Button>
          <Button onClick={() => setOpened('commands')}>Open the commands</Button>
        </State>
        <Dialog isOpen={opened === 'dialog'} onClose={close} title="Archive Linear?">
          <p>{LONG}</p>
          <DialogActions>
            <Button onClick={close}>Keep it</Button>
            <Button look="danger" onClick={close}>
              Archive
            </Button>
          </DialogActions>
        </Dialog>
        {opened === 'commands' && (
          <CommandDialog
            title="Commands"
            label="Search"
            text={text}
            onText={setText}
            groups={text === '' ? GROUPS : []}
            onClose={close}
          >
            {text !== '' && <p className="p-4">Nothing has this name.</p>}
          </CommandDialog>
        )}
      </Specimen>
      <Specimen of={['Toasts']}>
        <State name="what was done, with and without undo, and what was not">
          <Button onClick={() => say('Linear is added.')}>Say it</Button>
          <Button onClick={() => say('Linear is archived.', ignore)}>Say it, with undo</Button>
          <Button onClick={() => sayProblem('Linear was not added.', unavailable)}>
            Say a problem
          </Button>
        </State>
      </Specimen>
    </>
  );
}
