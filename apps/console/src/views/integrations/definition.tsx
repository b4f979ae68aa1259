import type { JsonObject } from '@gatehouse/sdk';
import { Scroller } from '../../components/scroller.tsx';

interface DefinitionProps {
  readonly name: string;
  readonly definition: JsonObject;
}

/** What a server says of something that it lists, in full, behind a word. */
export function Definition({ name, definition }: DefinitionProps) {
  return (
    <details className="mt-1">
      <summary className="w-fit text-12 text-ink-2 hover:text-ink">Definition</summary>
      <div className="mt-1">
        <Scroller text={JSON.stringify(definition, null, 2)} label={`Definition of ${name}`} />
      </div>
    </details>
  );
}

/** A text field of a definition. */
export function textIn(definition: JsonObject | null, field: string): string | undefined {
  const value = definition?.[field];
  return typeof value === 'string' ? value : undefined;
}
