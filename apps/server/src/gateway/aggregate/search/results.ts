import type { ListedEntry } from '../../../mcp/aggregate/splice-list.ts';
import type { Era } from '../../../mcp/era.ts';
import { textIn } from '../../connect-server/tool.ts';

/** Bytes of the definitions in one result; there is always room for one of any length. */
const MAX_BYTES = 1024 * 1024;

/** The definitions of tools as `tools/list` would have them, byte for byte, and the same as a text. */
export function foundTools(
  era: Era,
  tools: readonly ListedEntry[],
  version: string,
): readonly Buffer[] {
  const structured = Buffer.from(`{"tools":[${definitionsOf(tools).join(',')}]}`);
  const text = tools.length === 0 ? 'No tool fits. Try other words.' : structured.toString();
  const reply = textIn(era, text, version);
  const members = JSON.stringify('result' in reply ? reply.result : {}).slice(1);
  return [Buffer.from('{"structuredContent":'), structured, Buffer.from(`,${members}`)];
}

function definitionsOf(tools: readonly ListedEntry[]): readonly string[] {
  let bytes = 0;
  const fitting = tools.filter(({ bytes: { length } }, index) => {
    bytes += length;
    return index === 0 || bytes <= MAX_BYTES;
  });
  return fitting.map((tool) => tool.bytes.toString());
}
