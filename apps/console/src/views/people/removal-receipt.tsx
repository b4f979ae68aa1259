import type { RemoveMemberResponse } from '@gatehouse/sdk';
import { Button } from '../../components/button.tsx';
import { DialogActions } from '../../components/dialog.tsx';

interface RemovalReceiptProps {
  readonly receipt: RemoveMemberResponse;
  readonly onClose: () => void;
}

/** What is left to do after a member was removed. */
export function RemovalReceipt({ receipt, onClose }: RemovalReceiptProps) {
  const { applications, groups } = receipt;
  return (
    <>
      <div className="grid gap-4">
        <p>Their access has ended.</p>
        {applications.length > 0 && (
          <Names
            title="They may know the secrets of these applications. To be safe, replace them:"
            names={applications}
          />
        )}
        {groups.length > 0 && <Names title="They were in these groups:" names={groups} />}
        {applications.length === 0 && (
          <p className="text-ink-2">They knew the secret of no application.</p>
        )}
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  );
}

interface NamesProps {
  readonly title: string;
  readonly names: readonly { readonly id: string; readonly name: string }[];
}

function Names({ title, names }: NamesProps) {
  return (
    <div>
      <p>{title}</p>
      <ul className="mt-1 list-disc pl-5">
        {names.map(({ id, name }) => (
          <li key={id} className="foreign font-medium">
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
