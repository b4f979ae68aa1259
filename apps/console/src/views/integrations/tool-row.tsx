import { type ToolState, toolStateLabels } from '@gatehouse/contract';
import type { Tool } from '@gatehouse/sdk';
import { entryOf, labelOf, sentenceOf } from '../../api/labels.ts';
import { Button } from '../../components/button.tsx';
import { Mono, Tag } from '../../components/pairs.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { Definition, textIn } from './definition.tsx';
import { ToolChanges } from './tool-changes.tsx';

const TONES: Readonly<Record<ToolState, Tone>> = { approved: 'ok', changed: 'warn', new: 'idle' };

interface ToolRowProps {
  readonly tool: Tool;
  readonly onApprove: () => void;
  readonly onWithdraw: () => void;
}

/** One tool: what it says of itself, whether that is approved, and what has changed. */
export function ToolRow({ tool, onApprove, onWithdraw }: ToolRowProps) {
  const { name, state, readOnly, definition, changes } = tool;
  const isApproved = state === 'approved';
  return (
    <li className="border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-80">
          <Mono>
            <b className="font-medium">{name}</b>
          </Mono>{' '}
          <Tag>{readOnly ? 'Says it only reads' : 'May write'}</Tag>
          <p className="foreign line-clamp-2 max-w-[90ch] text-ink-2">
            {textIn(definition, 'description') ?? 'No description.'}
          </p>
        </div>
        <div className="flex items-center gap-3" title={sentenceOf(toolStateLabels, state)}>
          <Status tone={entryOf(TONES, state) ?? 'idle'}>{labelOf(toolStateLabels, state)}</Status>
          <Button
            size="small"
            aria-label={`${isApproved ? 'Withdraw' : 'Approve'} ${name}`}
            onClick={isApproved ? onWithdraw : onApprove}
          >
            {isApproved ? 'Withdraw' : 'Approve'}
          </Button>
        </div>
      </div>
      {changes !== null && changes.length > 0 && <ToolChanges changes={changes} />}
      {definition !== null && <Definition name={name} definition={definition} />}
    </li>
  );
}
