import { ownPids } from './processes.mjs';
import { CORES, cpuSecondsOf, machineCpuSeconds, treeCpuSecondsOf } from './system.mjs';

/**
 * Runs `operate` in a closed loop: every worker begins its next operation when its last one is done.
 *
 * @param workers one per connection, with the connection as `connection`.
 * @param operate throws if a response is wrong.
 * @param atLeast number of operations to run, however long they take.
 * @returns operations per second, milliseconds per operation (p50, p99), microseconds of CPU that the
 *   target and PostgreSQL used per operation, and the share of the machine that others used.
 */
export async function closedLoop({
  workers,
  operate,
  seconds,
  atLeast = 1,
  targetPid,
  postgresqlPid,
}) {
  const latencies = [];
  for (const { connection } of workers) connection.reopen();
  const read = () => readCpu(targetPid, postgresqlPid);
  const before = read();
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  await Promise.all(
    workers.map(async (worker) => {
      for (let began = performance.now(); began < deadline || latencies.length < atLeast; ) {
        await operate(worker);
        const done = performance.now();
        latencies.push(done - began);
        began = done;
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  const after = read();
  const count = latencies.length;
  latencies.sort((a, b) => a - b);
  const used = (name) => after[name] - before[name];
  return {
    count,
    perSecond: count / elapsed,
    p50: latencies[Math.floor(count * 0.5)],
    p99: latencies[Math.floor(count * 0.99)],
    cpu: (used('target') / count) * 1e6,
    postgresqlCpu: (used('postgresql') / count) * 1e6,
    foreign: Math.max(0, used('machine') - used('own')) / (elapsed * CORES),
  };
}

function readCpu(targetPid, postgresqlPid) {
  const { user, system } = process.cpuUsage();
  const postgresql = postgresqlPid === undefined ? 0 : treeCpuSecondsOf(postgresqlPid);
  const children = ownPids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  return {
    target: cpuSecondsOf(targetPid),
    postgresql,
    own: (user + system) / 1e6 + children + postgresql,
    machine: machineCpuSeconds(),
  };
}
