import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Fields of `/proc/<pid>/stat` (proc(5)) from the state on. The name before it may contain anything. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Seconds of CPU that a process has used: utime + stime. */
export function cpuSecondsOf(pid) {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND;
}

/** Seconds of CPU of a process, its living children, and the children it has waited for. */
export function treeCpuSecondsOf(pid) {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(name);
      if (Number(name) === pid) {
        ticks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
      } else if (Number(stat[1]) === pid) {
        ticks += Number(stat[11]) + Number(stat[12]);
      }
    } catch {
      // The process ended after it was listed.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/** Seconds of CPU that the whole machine has used: all of `/proc/stat` except idle and iowait. */
export function machineCpuSeconds() {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , irq, softirq, steal] = first.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}

/** Resident memory of a process in megabytes (10^6 bytes). */
export function residentMegabytesOf(pid) {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

export const CORES = cpus().length;

/** The machine, on which the figures depend. */
export function machine() {
  const system = /^PRETTY_NAME="(.*)"/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const memory = /^MemTotal:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return {
    cpu: `${CORES} × ${cpus()[0]?.model.trim()}`,
    memory: `${Math.round(Number(memory) / 1024 / 1024)} GiB`,
    system,
    node: process.version,
  };
}
