import { Dialog } from '../../components/dialog.tsx';
import { ShownOnce } from '../shown-once.tsx';

interface SecretOnceProps {
  /** Of the application. */
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A client secret, at the only time when it can be read. */
export function SecretOnce({ name, secret, onClose }: SecretOnceProps) {
  return (
    <Dialog isOpen onClose={onClose} title="The client secret">
      <ShownOnce
        text={secret}
        label="the client secret"
        file={`${name} client secret`}
        done="I have stored it"
        onClose={onClose}
      >
        <p>Store it where the application reads its secrets. It is shown only once, now.</p>
      </ShownOnce>
    </Dialog>
  );
}
