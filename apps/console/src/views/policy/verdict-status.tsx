import { Status, type Tone } from '../../components/status.tsx';
import type { Verdict } from './verdicts.ts';

const WORDS: Readonly<Record<Verdict['is'], readonly [tone: Tone, word: string]>> = {
  allowed: ['ok', 'Allowed'],
  refused: ['bad', 'Refused'],
  unknown: ['idle', 'Unknown'],
};

export function VerdictStatus({ verdict: { is, sentence } }: { verdict: Verdict }) {
  const [tone, word] = WORDS[is];
  return (
    <span className="grid gap-x-2">
      <Status tone={tone}>{word}</Status>
      {sentence !== '' && <span className="text-12 text-ink-2">{sentence}</span>}
    </span>
  );
}
