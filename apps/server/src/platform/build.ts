/** The commit that a build was made of. */
export interface Build {
  /** Its id, shortened; `-changed` at the end says that the files were not those of the commit. */
  readonly commit: string;
  /** UTC, ISO 8601. */
  readonly committedAt: string;
}

// The build replaces both variables by their values.
const commit = process.env.GATEHOUSE_BUILD_COMMIT;
const committedAt = process.env.GATEHOUSE_BUILD_DATE;

/** Undefined where the sources run without a build, and in a build without the history of git. */
export const build: Build | undefined = commit && committedAt ? { commit, committedAt } : undefined;
