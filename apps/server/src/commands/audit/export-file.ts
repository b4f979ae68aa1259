import { exportAudit } from '../../audit/exporting/export-audit.ts';
import type { ExportRequest } from '../../audit/exporting/export-request.ts';
import { inChunks } from '../../platform/in-chunks.ts';
import { writeNewFile } from '../../transfer/write-new-file.ts';
import type { CommandContext } from '../definition.ts';
import { stoppable } from '../transfer.ts';
import { withAudit } from './with-audit.ts';

/** Writes an export into a file that nobody else may read. @throws CommandError */
export function exportFile(
  path: string,
  force: boolean,
  request: ExportRequest,
  context: CommandContext,
): Promise<void> {
  return stoppable((signal) =>
    withAudit(context, (deps) =>
      writeNewFile(path, { force }, inChunks(until(signal, exportAudit(deps, request)))),
    ),
  );
}

async function* until(signal: AbortSignal, lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted();
    yield line;
  }
}
