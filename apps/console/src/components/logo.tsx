/** The first two letters of a name, so that rows can be found by their look. */
export function Logo({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center overflow-hidden rounded-6 bg-idle-soft text-11 font-semibold text-ink-2"
    >
      {[...name.trim()].slice(0, 2).join('')}
    </span>
  );
}
