/**
 * A value of a list that may grow: editors suggest the known values, and others are accepted. Reads
 * use it, so that a value added to the API later does not break a program compiled today.
 */
export type Open<Known extends string> = Known | (string & {});
