/** Text of a program, in a frame that scrolls and that the keyboard reaches. */
export function Scroller({ text, label }: { text: string; label: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      className="max-h-80 overflow-auto rounded-6 bg-sunken px-3 py-2.5"
    >
      <pre className="foreign font-mono text-12 leading-5 whitespace-pre-wrap">{text}</pre>
    </section>
  );
}
