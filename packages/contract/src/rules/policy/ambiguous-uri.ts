/** A character may be percent-encoded, and its percent sign encoded again. */
const SLASH = '(?:/|%(?:25)*2f)';
const BACKSLASH = /\\|%(?:25)*5c/i;
const DOT_SEGMENT = new RegExp(
  `(?:^(?:[a-z][a-z0-9+.-]*:)?|${SLASH})(?:\\.|%(?:25)*2e){1,2}(?:$|[?#;]|${SLASH})`,
  'i',
);
/** URL parsers drop tabs and line feeds anywhere, and other control characters and blanks at the ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const DROPPED = /[\0-\x1f\x7f]|^ | $/;

/**
 * Whether an upstream may read a URI as another one, because it has dot segments or characters that parsers drop or take
 * for a slash. A rule that compares text says nothing about such a URI.
 */
export function isAmbiguousUri(uri: string): boolean {
  return BACKSLASH.test(uri) || DOT_SEGMENT.test(uri) || DROPPED.test(uri);
}
