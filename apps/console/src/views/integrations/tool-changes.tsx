import type { ToolChange } from '@gatehouse/sdk';
import { labelOf } from '../../api/labels.ts';
import { Mono } from '../../components/pairs.tsx';

const WORDS = { add: 'Added', remove: 'Removed', replace: 'Changed' } as const;

/** What is different from the definition that was approved last. */
export function ToolChanges({ changes }: { changes: readonly ToolChange[] }) {
  return (
    <ul className="mt-2 grid gap-1.5 rounded-6 bg-warn-soft px-3 py-2.5">
      {changes.map(({ op, path, value }) => (
        <li key={`${op} ${path}`} className="grid gap-x-3 wide:grid-cols-[220px_1fr]">
          <span>
            {labelOf(WORDS, op)}{' '}
            <Mono>
              {path === '' ? 'the whole definition' : path.slice(1).replaceAll('/', ' › ')}
            </Mono>
          </span>
          {op !== 'remove' && (
            <span className="foreign line-clamp-6">
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
