import { readFile } from 'node:fs/promises';

/** What a process uses, as the kernel counts it. */
export interface ProcessUsage {
  /** Resident memory in bytes. */
  readonly residentBytes: number;
  /** CPU time in user mode, in seconds, since the process began. */
  readonly userSeconds: number;
  /** CPU time in the kernel, in seconds, since the process began. */
  readonly systemSeconds: number;
}

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux platform that Node supports. */
const TICKS_PER_SECOND = 100;

/** Reads `/proc/<pid>` (proc(5)); rejects when the process is gone, and on systems but Linux. */
export async function readUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  // The second field is the command in parentheses and may hold spaces; utime is field 14.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return {
    residentBytes: Number(kibibytes ?? 0) * 1024,
    userSeconds: Number(fields[11]) / TICKS_PER_SECOND,
    systemSeconds: Number(fields[12]) / TICKS_PER_SECOND,
  };
}
