import { Html } from './html.ts';

/** As in the console, where a test finds the same file: `apps/console/src/shell/mark.svg`. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f5bd0" stroke-width="2" stroke-linecap="round"><title>Gatehouse</title><path d="M4 21V9.500a8 8 0 0 1 16 0V21"/><path d="M9 21v-10a3 3 0 0 1 6 0v10"/></svg>
`;

/** The icon of a page, in the page itself. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`;

/** In the colour of the theme, and decoration: the name stands beside it. */
export const mark = Html.fromSource(
  MARK.replace(/ xmlns="[^"]*"/, ' aria-hidden="true"')
    .replace(/ stroke="[^"]*"/, ' stroke="currentColor"')
    .replace(/<title>.*<\/title>/, '')
    .trim(),
);
