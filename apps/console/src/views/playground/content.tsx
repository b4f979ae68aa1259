import { Scroller } from '../../components/scroller.tsx';
import { shortened } from './limits.ts';
import type { Exchange } from './mcp/exchange.ts';
import { type CallResult, callResultOf } from './mcp/result.ts';

/** What an answer says. */
export function Content({ exchange: { answer } }: { readonly exchange: Exchange }) {
  switch (answer.kind) {
    case 'result':
      return <Result result={callResultOf(answer.result)} />;
    case 'error':
      return (
        <div className="grid gap-2 px-4">
          <p className="foreign font-medium">{shortened(answer.message).text}</p>
          {answer.data !== undefined && <Text text={jsonOf(answer.data)} label="Error data" />}
        </div>
      );
    case 'refused':
      return (
        <div className="px-4">
          <p className="foreign font-medium">{answer.sentence}</p>
          {answer.requestId !== undefined && (
            <p className="text-12 text-ink-3">
              Request <span className="font-mono select-all">{answer.requestId}</span>
            </p>
          )}
        </div>
      );
    case 'unreadable':
      return (
        <p className="px-4 text-ink-2">
          The response contains no message that answers the request. Below is what was received.
        </p>
      );
  }
}

function Result({ result: { texts, others, structured, wants } }: { readonly result: CallResult }) {
  return (
    <div className="grid gap-3 px-4">
      {wants !== undefined && (
        <p className="text-ink-2">
          It needs something from a person or a model (<bdi>{wants}</bdi>), which the playground
          cannot provide.
        </p>
      )}
      {texts.length > 0 && <Text text={texts.join('\n\n')} label="Text" />}
      {structured !== undefined && <Text text={jsonOf(structured)} label="Structured content" />}
      {others.length > 0 && <Text text={jsonOf(others)} label="Other content" />}
      {wants === undefined && texts.length + others.length === 0 && structured === undefined && (
        <p className="text-ink-2">The response has no content.</p>
      )}
    </div>
  );
}

interface TextProps {
  readonly text: string;
  readonly label: string;
  /** Whether not even all of it was read. */
  readonly isCut?: boolean;
}

/** A text of others, below what it is, and as much of it as can be shown. */
export function Text({ text, label, isCut = false }: TextProps) {
  const shown = shortened(text, isCut);
  return (
    <div className="grid gap-1">
      <h3 className="text-12 text-ink-2">{label}</h3>
      <Scroller text={shown.text} label={label} />
      {shown.sentence !== undefined && <p className="text-12 text-ink-2">{shown.sentence}</p>}
    </div>
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
