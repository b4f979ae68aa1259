/** Milliseconds before the first report, and between two lines without a terminal. */
const QUIET = 2_000;
const LINE_EVERY = 10_000;

/** Says on standard error how far a command is, once it takes longer than two seconds. */
export interface Progress {
  /** @param text such as `1,200 of 5,000 rows` */
  report(text: string): void;
  /** Removes the line from a terminal. */
  end(): void;
}

/** The methods of standard error in use. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** On a terminal one line that changes, elsewhere a line every ten seconds. */
export function createProgress(
  screen: Screen,
  now: () => number = () => performance.now(),
): Progress {
  const begun = now();
  let lastLine = -Infinity;
  let isShown = false;
  return {
    report(text) {
      const time = now();
      if (time - begun < QUIET) return;
      if (screen.isTTY) {
        screen.write(`\r\x1b[K${text}`);
        isShown = true;
      } else if (time - lastLine >= LINE_EVERY) {
        screen.write(`${text}\n`);
        lastLine = time;
      }
    },
    end() {
      if (isShown) screen.write('\r\x1b[K');
      isShown = false;
    },
  };
}
