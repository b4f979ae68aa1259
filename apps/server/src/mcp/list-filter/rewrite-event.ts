import { copy } from './copy.ts';

const NAME = Buffer.from('data');
const PREFIX = Buffer.from('data: ');
const MARK = Buffer.from('\uFEFF');
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * An event with other data: as one line, where the first line of data was. Its other lines stay byte for
 * byte.
 *
 * @param data JSON, in which a line break can only be white space between tokens
 */
export function rewriteEvent(event: Buffer, data: Buffer): Buffer {
  const rewritten = Buffer.allocUnsafe(event.length + PREFIX.length + data.length);
  const start = event.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  let size = event.copy(rewritten, 0, 0, start);
  let isWritten = false;
  for (let at = start; at < event.length; ) {
    const text = endOfText(event, at);
    const end = endOfLine(event, text);
    if (!isData(event, at, text)) size = copy(event, at, end, rewritten, size);
    else if (!isWritten) {
      isWritten = true;
      size += PREFIX.copy(rewritten, size);
      size = writeAsOneLine(data, rewritten, size);
      size = copy(event, text, end, rewritten, size);
    }
    at = end;
  }
  return rewritten.subarray(0, size);
}

function isData(event: Buffer, start: number, end: number): boolean {
  if (end - start > NAME.length && event[start + NAME.length] !== COLON) return false;
  for (let i = 0; i < NAME.length; i += 1) if (event[start + i] !== NAME[i]) return false;
  return true;
}

function endOfText(event: Buffer, start: number): number {
  let at = start;
  while (at < event.length && event[at] !== LF && event[at] !== CR) at += 1;
  return at;
}

function endOfLine(event: Buffer, text: number): number {
  if (text === event.length) return text;
  return event[text] === CR && event[text + 1] === LF ? text + 2 : text + 1;
}

function writeAsOneLine(data: Buffer, to: Buffer, at: number): number {
  data.copy(to, at);
  const end = at + data.length;
  if (data.includes(LF)) for (let i = at; i < end; i += 1) if (to[i] === LF) to[i] = SPACE;
  return end;
}
