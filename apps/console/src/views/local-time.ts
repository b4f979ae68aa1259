/** As a field for date and time has it, in the person's time zone. Empty for no time. */
export function localOf(instant: string | undefined): string {
  if (instant === undefined) return '';
  const date = new Date(instant);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Undefined for no time. */
export function instantOf(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
