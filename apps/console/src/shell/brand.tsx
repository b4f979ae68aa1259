export function Brand() {
  return (
    <div className="flex items-center gap-2 px-2 py-1 text-14 font-semibold">
      <svg
        viewBox="0 0 24 24"
        aria-hidden="true"
        className="size-[22px] fill-none stroke-accent stroke-2"
        strokeLinecap="round"
      >
        <path d="M4 21V9.500a8 8 0 0 1 16 0V21" />
        <path d="M9 21v-10a3 3 0 0 1 6 0v10" />
      </svg>
      Gatehouse
    </div>
  );
}
