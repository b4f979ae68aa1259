import { readFile } from 'node:fs/promises';

/** The resources that a process uses, as counted by the kernel. */
export interface ProcessUsage {
  /** Resident memory in bytes. */
  readonly residentBytes: number;
  /** CPU time in user mode, in seconds, since the process started. */
  readonly userSeconds: number;
  /** CPU time in the kernel, in seconds, since the process started. */
  readonly systemSeconds: number;
}

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux platform that Node supports. */
const TICKS_PER_SECOND = 100;

/** Reads `/proc/<pid>` (proc(5)). Rejects if the process has ended, and on systems other than Linux. */
export async function readUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  // The second field is the command in parentheses, which may contain spaces. Field 14 is utime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return {
    residentBytes: Number(kibibytes ?? 0) * 1024,
    userSeconds: Number(fields[11]) / TICKS_PER_SECOND,
    systemSeconds: Number(fields[12]) / TICKS_PER_SECOND,
  };
}
