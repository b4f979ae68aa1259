/**
 * Gives values the same form on every connection, whatever the server, the database or the role sets. The
 * driver and Prisma's adapter read time stamps as UTC in ISO form, bytes as hex, and the text of
 * statements without escapes.
 */
export const SAME_VALUES = [
  "SET TIME ZONE 'UTC'",
  "SET DateStyle = 'ISO, YMD'",
  "SET IntervalStyle = 'postgres'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  'SET standard_conforming_strings = on',
].join('; ');
