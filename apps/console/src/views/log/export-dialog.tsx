import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Mono } from '../../components/pairs.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { saveFile } from '../../components/save-file.ts';
import { readExport } from './queries.ts';
import { isSpan, type Span, SpanFields } from './span-fields.tsx';

interface ExportDialogProps {
  /** Of the events that are looked at. */
  readonly span: Span;
  readonly onClose: () => void;
}

/** The audit as a file for someone who need not trust this installation. */
export function ExportDialog({ span: looked, onClose }: ExportDialogProps) {
  const [span, setSpan] = useState(looked);
  const name = `audit-${new Date().toISOString().slice(0, 10)}.ndjson`;
  const save = useMutation({
    mutationFn: () => readExport(span),
    onSuccess: (lines) => {
      saveFile(name, 'text/x-ndjson', lines);
      say(`${name} is saved. That you exported it is in the log.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Export the audit">
      <div className="grid gap-4">
        {save.error !== null && <FormProblem error={save.error} meaning="Nothing was saved." />}
        <p>
          A file with the changes and calls of this organization, and the signed chains that they
          are in. Filters but the time do not apply, since a chain with holes proves nothing.
        </p>
        <SpanFields span={span} onChange={setSpan} />
        <div className="grid gap-2">
          <p>
            Whoever gets it can check it on any machine, with the public key alone. The operator of
            the server prints the key by <Mono>gatehouse audit key</Mono>: hand it over by another
            way than the file.
          </p>
          <Code text={`gatehouse audit verify ${name} --key audit.pub`} label="the command" />
          <p>
            <a href="/docs/run/audit#check-a-file" className="text-accent underline">
              How an auditor verifies it
            </a>
          </p>
        </div>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          disabled={!isSpan(span)}
          isBusy={save.isPending}
          onClick={() => save.mutate()}
        >
          {save.isPending ? 'Exporting…' : 'Export'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
