/**
 * The grammar of JSON (RFC 8259) as a table: a state and a byte give the next state, or a step that the tree
 * takes. A number ends at the byte after it.
 */

/** Not JSON. */
export const INVALID = 0;

export const START = 1;
const VALUE = 2;
export const FIRST_ITEM = 3;
export const FIRST_KEY = 4;
export const AFTER_ITEM = 5;
export const AFTER_MEMBER = 6;
export const COLON = 7;
export const STRING = 8;
/** After the whole text. */
export const END = 9;

const [KEY, ESCAPE, HEX_1, HEX_2, HEX_3, HEX_4] = [10, 11, 12, 13, 14, 15];
const [MINUS, ZERO, DIGITS, POINT, FRACTION, EXPONENT, SIGN, POWER] = [
  16, 17, 18, 19, 20, 21, 22, 23,
];
const [BOM_1, BOM_2] = [24, 25];
const [T, TR, TRU, F, FA, FAL, FALS, N, NU, NUL] = [26, 27, 28, 29, 30, 31, 32, 33, 34, 35];

/** Numbers from here on are steps, not states. */
export const STEPS = 64;
export const BEGIN_OBJECT = 64;
export const BEGIN_ARRAY = 65;
export const BEGIN_STRING = 66;
export const BEGIN_KEY = 67;
export const BEGIN_SCALAR = 68;
export const END_CONTAINER = 69;
export const END_STRING = 70;
export const END_LITERAL = 71;
export const END_NUMBER = 72;

const BLANK = ' \t\n\r';
const DIGIT = '0123456789';

/** The state after the first byte of a number, `true`, `false` or `null`. */
export const AFTER_FIRST = tableOf([
  ['-', MINUS],
  ['0', ZERO],
  ['123456789', DIGITS],
  ['t', T],
  ['f', F],
  ['n', N],
]);

/** 1 for the bytes that stay inside a string, so that the grammar need not be looked at. */
export const PLAIN = new Uint8Array(256).fill(1, 0x20);
for (const byte of Buffer.from('"\\')) PLAIN[byte] = 0;

/** Whether a number may end in this state. */
export function isNumber(state: number): boolean {
  return state === ZERO || state === DIGITS || state === FRACTION || state === POWER;
}

type Row = readonly (readonly [bytes: string, next: number])[];

const value: Row = [
  ['{', BEGIN_OBJECT],
  ['[', BEGIN_ARRAY],
  ['"', BEGIN_STRING],
  [`-${DIGIT}tfn`, BEGIN_SCALAR],
];
const endOfNumber: Row = [[`${BLANK},]}`, END_NUMBER]];
const exponent: Row = [['eE', EXPONENT]];
const hex = (next: number): Row => [[`${DIGIT}abcdefABCDEF`, next]];

const rows: readonly (readonly [state: number, row: Row])[] = [
  [START, [[BLANK, VALUE], ['\xef', BOM_1], ...value]],
  [BOM_1, [['\xbb', BOM_2]]],
  [BOM_2, [['\xbf', VALUE]]],
  [VALUE, [[BLANK, VALUE], ...value]],
  [FIRST_ITEM, [[BLANK, FIRST_ITEM], [']', END_CONTAINER], ...value]],
  [
    AFTER_ITEM,
    [
      [BLANK, AFTER_ITEM],
      [',', VALUE],
      [']', END_CONTAINER],
    ],
  ],
  [
    FIRST_KEY,
    [
      [BLANK, FIRST_KEY],
      ['"', BEGIN_KEY],
      ['}', END_CONTAINER],
    ],
  ],
  [
    KEY,
    [
      [BLANK, KEY],
      ['"', BEGIN_KEY],
    ],
  ],
  [
    COLON,
    [
      [BLANK, COLON],
      [':', VALUE],
    ],
  ],
  [
    AFTER_MEMBER,
    [
      [BLANK, AFTER_MEMBER],
      [',', KEY],
      ['}', END_CONTAINER],
    ],
  ],
  [END, [[BLANK, END]]],
  [
    STRING,
    [
      ['"', END_STRING],
      ['\\', ESCAPE],
    ],
  ],
  [
    ESCAPE,
    [
      ['"\\/bfnrt', STRING],
      ['u', HEX_1],
    ],
  ],
  [HEX_1, hex(HEX_2)],
  [HEX_2, hex(HEX_3)],
  [HEX_3, hex(HEX_4)],
  [HEX_4, hex(STRING)],
  [
    MINUS,
    [
      ['0', ZERO],
      ['123456789', DIGITS],
    ],
  ],
  [ZERO, [['.', POINT], ...exponent, ...endOfNumber]],
  [DIGITS, [[DIGIT, DIGITS], ['.', POINT], ...exponent, ...endOfNumber]],
  [POINT, [[DIGIT, FRACTION]]],
  [FRACTION, [[DIGIT, FRACTION], ...exponent, ...endOfNumber]],
  [
    EXPONENT,
    [
      ['+-', SIGN],
      [DIGIT, POWER],
    ],
  ],
  [SIGN, [[DIGIT, POWER]]],
  [POWER, [[DIGIT, POWER], ...endOfNumber]],
  [T, [['r', TR]]],
  [TR, [['u', TRU]]],
  [TRU, [['e', END_LITERAL]]],
  [F, [['a', FA]]],
  [FA, [['l', FAL]]],
  [FAL, [['s', FALS]]],
  [FALS, [['e', END_LITERAL]]],
  [N, [['u', NU]]],
  [NU, [['l', NUL]]],
  [NUL, [['l', END_LITERAL]]],
];

/** 256 entries for each state. */
export const TABLE = new Uint8Array(36 * 256);
for (const [state, row] of rows) TABLE.set(tableOf(row), state * 256);
for (let byte = 0; byte < 256; byte += 1)
  if (PLAIN[byte] === 1) TABLE[STRING * 256 + byte] = STRING;

function tableOf(row: Row): Uint8Array {
  const table = new Uint8Array(256).fill(INVALID);
  for (const [bytes, next] of row)
    for (const byte of Buffer.from(bytes, 'latin1')) table[byte] = next;
  return table;
}
