/** The codes with which Node reports that the process, or the machine, may open no more files. */
export const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** Tells an operator how to go on. */
export const MORE_FILES = 'Allow the process more open files (ulimit -n)';
