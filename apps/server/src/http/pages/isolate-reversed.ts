/** The blocks of the scripts that run from right to left (Unicode Standard Annex 9, table 4: R and AL). */
const REVERSED =
  '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}';

/** Characters that set the direction, in names from before they were refused. */
const CONTROLS = '\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** From the first to the last such letter between two commas; from a control to the end. */
const RUN = new RegExp(`[${CONTROLS}].*$|[${REVERSED}](?:[^,]*[${REVERSED}])?`, 'gsu');

/** Puts each run of text from right to left into `<bdi>`. @param text escaped */
export function isolateReversed(text: string): string {
  return text.replaceAll(RUN, '<bdi>$&</bdi>');
}
