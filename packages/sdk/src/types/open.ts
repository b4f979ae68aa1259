/**
 * A word out of a list that may grow: the known ones are suggested, others are accepted. Reads use
 * it, so that a value added to the API later does not break a program compiled today.
 */
export type Open<Known extends string> = Known | (string & {});
