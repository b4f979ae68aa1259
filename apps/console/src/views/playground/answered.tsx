import { Status, type Tone } from '../../components/status.tsx';
import { Content } from './content.tsx';
import type { Exchange } from './mcp/exchange.ts';
import { callResultOf } from './mcp/result.ts';
import type { Target } from './target.ts';
import { Wire } from './wire.tsx';

interface AnsweredProps {
  readonly exchange: Exchange;
  readonly target: Target;
}

/** An answer in words, and below it what went over the wire. */
export function Answered({ exchange, target }: AnsweredProps) {
  const { status, milliseconds } = exchange;
  const { tone, word } = verdictOf(exchange);
  return (
    <div className="grid gap-3 pb-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-3">
        <Status tone={tone}>{word}</Status>
        <span className="text-ink-2 tabular-nums">HTTP {status}</span>
        <span className="text-ink-2 tabular-nums">{Math.round(milliseconds)} ms</span>
      </p>
      <Content exchange={exchange} />
      <Wire exchange={exchange} target={target} />
    </div>
  );
}

function verdictOf({ answer }: Exchange): { readonly tone: Tone; readonly word: string } {
  switch (answer.kind) {
    case 'result': {
      const { isError, wants } = callResultOf(answer.result);
      if (wants !== undefined) return { tone: 'warn', word: 'Needs input' };
      return isError ? { tone: 'bad', word: 'The tool failed' } : { tone: 'ok', word: 'Answered' };
    }
    case 'error':
      return { tone: 'bad', word: `Error ${answer.code}` };
    case 'refused':
      return { tone: 'bad', word: 'Refused' };
    case 'unreadable':
      return { tone: 'bad', word: 'Not an MCP response' };
  }
}
