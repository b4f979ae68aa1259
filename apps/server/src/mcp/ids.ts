/** Bytes of an id that is compared by its value. No client counts that far. */
const MAX_LENGTH = 16 * 1024;

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,9}))?$/i;

/** Whether two ids of JSON-RPC, or progress tokens, are one to every client: `1` is `1.0`, and is not `"1"`. Both raw JSON. */
export function isSameId(one: string, other: string): boolean {
  if (one === other) return true;
  const value = keyOf(one);
  return value !== undefined && value === keyOf(other);
}

/** Undefined for what is no id, or is read differently by some parsers. */
function keyOf(raw: string): string | undefined {
  if (raw.length > MAX_LENGTH) return undefined;
  if (!raw.startsWith('"')) return numberOf(raw);
  const text: unknown = raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1);
  return typeof text === 'string' && !/\p{Surrogate}/u.test(text) ? `"${text}` : undefined;
}

/** By its digits: a double would take 9007199254740993 for 9007199254740992. */
function numberOf(raw: string): string | undefined {
  const [, whole, fraction = '', power = '0'] = NUMBER.exec(raw) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${raw.startsWith('-') ? '-' : ''}${significant}e${exponent}`;
}
