export interface Fact {
  readonly name: string;
  readonly figure: string;
  readonly sentence: string;
}

/** Four figures, each with what it counts. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-2 wide:grid-cols-4">
      {facts.map(({ name, figure, sentence }) => (
        <div
          key={name}
          className="border-line p-4 not-last:wide:border-r max-wide:odd:border-r max-wide:nth-[-n+2]:border-b"
        >
          <dt className="text-ink-2">{name}</dt>
          <dd>
            <span className="block text-24 font-semibold tracking-[-0.015em] tabular-nums">
              {figure}
            </span>
            <span className="text-12 text-ink-3">{sentence}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
