import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { isSpan, type Span, SpanFields } from './span-fields.tsx';

interface SpanDialogProps {
  readonly span: Span;
  readonly onChoose: (span: Span) => void;
  readonly onClose: () => void;
}

export function SpanDialog({ span, onChoose, onClose }: SpanDialogProps) {
  const [chosen, setChosen] = useState(span);
  return (
    <Dialog isOpen onClose={onClose} title="Events of which time?">
      <SpanFields span={chosen} onChange={setChosen} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" disabled={!isSpan(chosen)} onClick={() => onChoose(chosen)}>
          Show them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
