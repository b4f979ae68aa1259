import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import type { Graph, GraphNode } from './graph.ts';

interface WhatIfDialogProps {
  readonly graph: Graph;
  readonly focus: GraphNode | undefined;
  readonly onAsk: (applicationId: string, integrationId: string) => void;
  readonly onClose: () => void;
}

/** Picks two ends, attached or not, to ask what would follow from the reverse. */
export function WhatIfDialog({ graph, focus, onAsk, onClose }: WhatIfDialogProps) {
  const [application, setApplication] = useState(focus?.kind === 'application' ? focus.id : '');
  const [integration, setIntegration] = useState(focus?.kind === 'integration' ? focus.id : '');
  const isAttached = graph.edges.some(
    (edge) => edge.application.id === application && edge.integration.id === integration,
  );
  const isComplete = application !== '' && integration !== '';
  return (
    <Dialog isOpen onClose={onClose} title="What if…">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) onAsk(application, integration);
        }}
      >
        <NodeField label="Application" value={application} onChange={setApplication}>
          {graph.applications}
        </NodeField>
        <NodeField label="Integration" value={integration} onChange={setIntegration}>
          {graph.integrations}
        </NodeField>
        <p aria-live="polite" className="text-ink-2">
          {isComplete &&
            (isAttached
              ? 'It is attached: you see who would lose what without it.'
              : 'It is not attached: you see who would gain what with it.')}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" disabled={!isComplete}>
            Ask
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface NodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly children: readonly GraphNode[];
}

function NodeField({ label, value, onChange, children }: NodeFieldProps): ReactNode {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={inputClass}
        >
          <option value="">Choose…</option>
          {children.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
