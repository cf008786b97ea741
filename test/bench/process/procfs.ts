import { readFileSync } from 'node:fs'

/** CPU seconds since the process started: of all its threads, and of the main one. */
export interface CpuTimes {
  readonly all: number
  readonly main: number
}

// USER_HZ, the unit of /proc/<pid>/stat, is 100 on every architecture that Node supports.
const TICKS_PER_SECOND = 100

/** CPU times of a process, in steps of 10 ms; zeros if there is no /proc. */
export function cpuTimes(pid: number): CpuTimes {
  return {
    all: secondsIn(`/proc/${pid}/stat`),
    main: secondsIn(`/proc/${pid}/task/${pid}/stat`),
  }
}

/** CPU seconds of all processors since the computer started; 0 without /proc. */
export function machineBusy(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu\s+(.*)$/m.exec(read('/proc/stat'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND
}

/** Resident memory of a process in megabytes (10^6 bytes): now, and its maximum. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = read(`/proc/${pid}/status`)
  const megabytes = (name: string) => {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
    return kib === undefined ? Number.NaN : (Number(kib) * 1024) / 1e6
  }
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** The threads of a process; NaN without /proc. */
export function threadsOf(pid: number): number {
  return Number(/^Threads:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN)
}

/** The processors that this process may use, empty if there is no /proc. */
export function allowedCpus(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(read('/proc/self/status'))?.[1]
  if (list === undefined) return []
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

function secondsIn(path: string): number {
  const stat = read(path)
  // The second field is a name in parentheses and may contain spaces; utime and stime are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
