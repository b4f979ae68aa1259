import { explain } from '../api/problems.ts';
import { Button } from './button.tsx';
import { StatusShape } from './status.tsx';

interface ProblemProps {
  readonly error: unknown;
  /** What it means for what is shown. */
  readonly meaning?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** A problem in its own sentence, with the way to try again. */
export function Problem({ error, meaning, onRetry }: ProblemProps) {
  const { sentence, requestId } = explain(error);
  return (
    <div role="alert" className="grid grid-cols-[16px_1fr] gap-2 px-4 py-3">
      <span className="flex h-5 items-center">
        <StatusShape tone="bad" />
      </span>
      <div>
        <p className="foreign font-medium">{sentence}</p>
        {meaning !== undefined && <p className="text-ink-2">{meaning}</p>}
        {requestId !== undefined && (
          <p className="text-12 text-ink-3">
            Request <span className="font-mono select-all">{requestId}</span>
          </p>
        )}
        {onRetry !== undefined && (
          <Button size="small" className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/** Above a form: what was not saved, and why. */
export function FormProblem({ error, meaning }: Pick<ProblemProps, 'error' | 'meaning'>) {
  return (
    <div className="rounded-6 bg-bad-soft">
      <Problem error={error} meaning={meaning} />
    </div>
  );
}
