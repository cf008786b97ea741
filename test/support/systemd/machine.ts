import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventualValue } from '../eventually.ts'
import type { Ended } from '../processes/cli.ts'

const NAMESPACES = [
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--uts',
  '--ipc',
  '--net',
  '--cgroup',
]
const UNITS = 'SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/units'

/** A systemd that runs services, apart from the rest of the computer. */
export interface Machine {
  /** Runs a command in it, to its end. */
  run(command: string, ...args: string[]): Promise<Ended>
  stop(): Promise<void>
}

/** Returns whether this computer and account can run one. */
export function canBoot(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false
  if (!existsSync('/lib/systemd/systemd') || groups() === undefined) return false
  try {
    execFileSync('unshare', [...NAMESPACES, 'mount', '--make-rprivate', '/'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Boots a machine with its own files under `/etc`, `/run` and `/var`, network, processes and control groups. */
export async function boot(): Promise<Machine> {
  const group = join(String(groups()), `tidegate-test-${process.pid}`)
  mkdirSync(group)
  const script = join(import.meta.dirname, 'boot.sh')
  // In a group of its own first: it takes the one that it starts in for all of the computer's.
  const enter = `echo $$ > ${group}/cgroup.procs && exec unshare ${NAMESPACES.join(' ')} bash ${script}`
  const outside = spawn('bash', ['-c', enter], { stdio: 'ignore' })
  const ended = new Promise((resolve) => outside.once('exit', resolve))
  const inside = await eventualValue(() => childOf(outside.pid))
  const run = (command: string, ...args: string[]) => {
    return runIn(['-t', inside, '-a', 'env', UNITS, command, ...args])
  }
  await eventualValue(async () => {
    const { stdout } = await run('systemctl', 'is-system-running')
    return stdout.trim() === 'running' || undefined
  })
  await run('systemctl', 'start', 'systemd-journald.service')
  return {
    run,
    async stop() {
      outside.kill('SIGKILL')
      await ended
      await eventualValue(() => removed(group))
    },
  }
}

/** Where control groups of version 2 are. */
function groups(): string | undefined {
  return ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((folder) =>
    existsSync(join(folder, 'cgroup.procs')),
  )
}

function childOf(pid: number | undefined): string | undefined {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

function runIn(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('nsenter', args, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? -1)
      resolve({ code, stdout, stderr })
    })
  })
}

/** Groups are removed from the inside, once their last process has ended. */
function removed(group: string): true | undefined {
  try {
    const inner = execFileSync('find', [group, '-depth', '-type', 'd'], { encoding: 'utf8' })
    for (const folder of inner.trim().split('\n')) rmdirSync(folder)
    return true
  } catch {
    return undefined
  }
}
