import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';

interface SecretOnceProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** A client secret, at the only time when it can be read. It stays in this component alone. */
export function SecretOnce({ secret, onClose }: SecretOnceProps) {
  return (
    <Dialog isOpen onClose={onClose} title="The client secret">
      <p className="mb-3 text-ink-2">
        Store it where the application reads its secrets. It is shown now, and never again.
      </p>
      <Code text={secret} label="the client secret" />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
