import type { AuditEvent } from '@gatehouse/sdk';
import { Mono, Pair } from '../../components/pairs.tsx';
import { useKnownNames } from './use-known-names.ts';

interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly isTruncated: boolean;
}

/** What a change has beside who did what: its fields, before and after, and all else by its name. */
export function ChangeFacts({ details }: Pick<AuditEvent, 'details'>) {
  const { changes, ...others } = details.changes === undefined ? details : withoutFields(details);
  const { nameOf } = useKnownNames();
  const textOf = (value: unknown): string => {
    if (value === null) return 'not set';
    if (typeof value === 'string') return nameOf(value) ?? value;
    if (Array.isArray(value) && value.length > 0) return value.map(textOf).join(', ');
    return JSON.stringify(value);
  };
  return (
    <>
      {changesOf(changes).map((change) => (
        <Pair key={change.field} name={change.field}>
          <ChangeFact change={change} textOf={textOf} />
        </Pair>
      ))}
      {Object.entries(others).map(([name, value]) => (
        <Pair key={name} name={name}>
          {textOf(value)}
        </Pair>
      ))}
    </>
  );
}

interface ChangeFactProps {
  readonly change: Change;
  readonly textOf: (value: unknown) => string;
}

function ChangeFact({ change: { from, to, isTruncated }, textOf }: ChangeFactProps) {
  if (isTruncated)
    return <span className="text-ink-2">Changed. Its value is too long to keep.</span>;
  return (
    <>
      <del className="block text-ink-2">
        <span className="sr-only">from </span>
        <Mono>{textOf(from)}</Mono>
      </del>
      <ins className="block no-underline">
        <span className="sr-only">to </span>
        <Mono>{textOf(to)}</Mono>
      </ins>
    </>
  );
}

/** The names of what has changed are those of `changes`. */
function withoutFields({ fields: _, ...others }: AuditEvent['details']): AuditEvent['details'] {
  return others;
}

function changesOf(changes: unknown): readonly Change[] {
  if (!Array.isArray(changes)) return [];
  return changes.map(({ field, from, to, truncated }) => ({
    field: String(field),
    from,
    to,
    isTruncated: truncated === true,
  }));
}
