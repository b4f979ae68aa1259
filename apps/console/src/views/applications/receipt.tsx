import { revokedAccessLabels } from '@gatehouse/contract';
import type { RevokedAccess } from '@gatehouse/sdk';
import { keysOf } from '../../api/keys-of.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';

interface ReceiptProps {
  readonly name: string;
  readonly revoked: RevokedAccess;
  readonly onClose: () => void;
}

/** What has ended, by kind. */
export function Receipt({ name, revoked, onClose }: ReceiptProps) {
  return (
    <Dialog isOpen onClose={onClose} title={`Access of ${name} is revoked`}>
      <dl className="grid gap-1.5">
        {keysOf(revokedAccessLabels).map((kind) => (
          <div key={kind} className="grid grid-cols-[48px_1fr] gap-3">
            <dd className="text-right font-semibold tabular-nums">{revoked[kind]}</dd>
            <dt className="-order-1 row-start-1 col-start-2">{revokedAccessLabels[kind]}</dt>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
