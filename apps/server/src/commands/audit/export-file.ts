import { exportAudit } from '../../audit/exporting/export-audit.ts';
import type { ExportRequest } from '../../audit/exporting/export-request.ts';
import { writeNewFile } from '../../transfer/write-new-file.ts';
import type { CommandContext } from '../definition.ts';
import { stoppable } from '../transfer.ts';
import { withAudit } from './with-audit.ts';

/** Bytes in one write. */
const CHUNK = 256 * 1024;

/** Writes an export into a file that nobody else may read. @throws CommandError */
export function exportFile(
  path: string,
  force: boolean,
  request: ExportRequest,
  context: CommandContext,
): Promise<void> {
  return stoppable((signal) =>
    withAudit(context, (deps) =>
      writeNewFile(path, { force }, inChunks(exportAudit(deps, request), signal)),
    ),
  );
}

async function* inChunks(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let chunk = '';
  for await (const line of lines) {
    signal.throwIfAborted();
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}
