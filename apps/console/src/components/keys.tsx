const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** The key that begins the shortcuts of programs on this system. */
export const modifier = isApple ? '⌘' : 'Ctrl';

/** Whether {@link modifier} is held, and no other key that changes what a key means. */
export function isWithModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (altKey || shiftKey) return false;
  return isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** Keys to press, in their order. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key, place) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may be pressed twice.
          key={place}
          className="inline-grid h-5 min-w-5 place-items-center rounded-4 border border-line bg-sunken px-1 font-sans text-11 text-ink-2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
