import { type KeyboardEvent, memo, useState } from 'react';
import type { GraphEdge, GraphNode } from './graph.ts';
import { edgeWords } from './graph.ts';
import { AccessLine } from './line.tsx';
import type { Shown } from './shown.ts';

interface ColumnProps extends Pick<Shown, 'focus' | 'other' | 'near'> {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  /** How many edges in view each node has, by its id. */
  readonly degrees: ReadonlyMap<string, number>;
  readonly isRoomy: boolean;
  readonly isSpread: boolean;
  readonly onChoose: (id: string) => void;
}

/** The applications or the integrations. Tab reaches one of them, arrows the others. */
export function Column(props: ColumnProps) {
  const { label, nodes, degrees, isRoomy, isSpread, onChoose, focus, other, near } = props;
  const [active, setActive] = useState<string>();
  const isIn = (id: string | undefined) => nodes.some((node) => node.id === id);
  const reached = [active, focus?.id, other?.id].find(isIn) ?? nodes[0]?.id;
  return (
    <div
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => move(event, onChoose)}
      onFocus={({ target }) => setActive(idOf(target))}
      onClick={({ target }) => {
        const id = target instanceof Element ? idOf(target) : undefined;
        if (id !== undefined) onChoose(id);
      }}
      className={`flex flex-col ${isSpread ? 'justify-around' : ''}`}
    >
      {nodes.map((node) => (
        <NodeOption
          key={node.id}
          node={node}
          edge={near?.get(node.id)}
          degree={degrees.get(node.id) ?? 0}
          isChosen={node === focus || node === other}
          isFaint={near !== undefined && !near.has(node.id)}
          isReached={node.id === reached}
          isRoomy={isRoomy}
        />
      ))}
    </div>
  );
}

interface NodeOptionProps {
  readonly node: GraphNode;
  /** Its edge to what is looked at. */
  readonly edge: GraphEdge | undefined;
  readonly degree: number;
  readonly isChosen: boolean;
  readonly isFaint: boolean;
  readonly isReached: boolean;
  readonly isRoomy: boolean;
}

const NodeOption = memo(function NodeOption(props: NodeOptionProps) {
  const { node, edge, degree, isChosen, isFaint, isReached, isRoomy } = props;
  const { id, name, kind, isArchived } = node;
  const border = isChosen ? 'border-accent' : isFaint ? 'border-line' : 'border-line-strong';
  return (
    <div
      role="option"
      aria-selected={isChosen}
      tabIndex={isReached ? 0 : -1}
      data-id={id}
      // What is not in view is not laid out: it has its height from its class.
      className={`cursor-pointer [content-visibility:auto] ${isRoomy ? 'h-12 py-1' : 'h-9 py-0.5'} rounded-8 outline-offset-0`}
    >
      <span
        className={`flex h-full items-center gap-2 rounded-6 border bg-panel px-2.5 hover:bg-hover ${border}`}
      >
        <span
          className={`foreign line-clamp-1 min-w-0 flex-1 font-medium ${isFaint && !isChosen ? 'text-ink-3' : ''}`}
        >
          {name}
          {isArchived && <span className="font-normal text-ink-3"> (archived)</span>}
        </span>
        <span className="text-12 text-ink-2 tabular-nums max-wide:sr-only">
          {edge === undefined ? (
            <Degree count={degree} of={kind === 'application' ? 'integration' : 'application'} />
          ) : (
            <AccessLine access={edge.access} words={edgeWords(edge)} />
          )}
        </span>
      </span>
    </div>
  );
});

function Degree({ count, of }: { count: number; of: string }) {
  return (
    <>
      {count}
      <span className="sr-only"> {count === 1 ? of : `${of}s`}</span>
    </>
  );
}

function idOf(target: Element): string | undefined {
  return target.closest('[data-id]')?.getAttribute('data-id') ?? undefined;
}

function move(event: KeyboardEvent<HTMLElement>, onChoose: (id: string) => void): void {
  const { key, target, currentTarget } = event;
  if (!(target instanceof Element)) return;
  const id = idOf(target);
  if ((key === 'Enter' || key === ' ') && id !== undefined) {
    event.preventDefault();
    onChoose(id);
    return;
  }
  const next = targetOf(key, target, currentTarget);
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

function targetOf(key: string, option: Element, column: Element): Element | null | undefined {
  switch (key) {
    case 'ArrowDown':
      return option.nextElementSibling;
    case 'ArrowUp':
      return option.previousElementSibling;
    case 'Home':
      return column.firstElementChild;
    case 'End':
      return column.lastElementChild;
    case 'ArrowLeft':
    case 'ArrowRight':
      return column.parentElement?.querySelector(
        `[role=listbox]${key === 'ArrowLeft' ? ':first-child' : ':last-child'} [tabindex="0"]`,
      );
    default:
      return undefined;
  }
}
