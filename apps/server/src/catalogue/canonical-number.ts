/** Digits of an exponent that is read. */
const MAX_EXPONENT = 6;

const ZERO = 0x30;

/**
 * A number of JSON, so that two are equal if and only if their values are: as RFC 8785 prints it if that is its value,
 * otherwise by all its digits, such as `9007199254740993` and `33333333333333329e-8`. Undefined if it has no double, or a
 * long exponent.
 *
 * @param raw as it was sent
 */
export function canonicalNumber(raw: string): string | undefined {
  const number = Number(raw);
  const exact = digitsOf(raw);
  if (!Number.isFinite(number) || exact === undefined) return undefined;
  const printed = String(number);
  return digitsOf(printed) === exact ? printed : exact;
}

/** All digits of a number without zeros at the ends, and the power of ten. */
function digitsOf(number: string): string | undefined {
  const sign = number.startsWith('-') ? '-' : '';
  const [mantissa = '', power = '0'] = number.slice(sign.length).toLowerCase().split('e');
  if (power.length > MAX_EXPONENT + 1) return undefined;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`;
  let [first, last] = [0, digits.length];
  while (last > 0 && digits.charCodeAt(last - 1) === ZERO) last -= 1;
  while (first < last && digits.charCodeAt(first) === ZERO) first += 1;
  if (first === last) return '0';
  const exponent = Number(power) - fraction.length + (digits.length - last);
  const significant = digits.slice(first, last);
  // Whole numbers are written as such, up to the length at which JavaScript does.
  const isWhole = exponent >= 0 && significant.length + exponent <= 21;
  if (isWhole) return `${sign}${significant}${'0'.repeat(exponent)}`;
  return `${sign}${significant}e${exponent}`;
}
