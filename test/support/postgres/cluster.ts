import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../processes/ports.ts'
import { installCommand } from '../tools.ts'
import { postgresPrograms } from './programs.ts'

/** The account of Debian's package: PostgreSQL refuses to run as root. */
const ACCOUNT = 'postgres'

/** Not for data that must survive the computer: nothing waits for the disk. */
export const SETTINGS = [
  ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=400'],
  ...[
    '-c',
    'shared_buffers=64MB',
    '-c',
    'log_min_messages=fatal',
    '-c',
    'autovacuum_naptime=10s',
    '-c',
    'jit=off',
  ],
]

/** A PostgreSQL server in a folder of its own, on 127.0.0.1, without passwords. */
export interface Cluster {
  readonly folder: string
  readonly port: number
  readonly pid: number
  /** The connection URI of a database. */
  url(database: string): string
}

/** Makes a cluster and starts it. `settings`: as the command line of `postgres` takes them. Nobody stops it. */
export async function startCluster(settings: readonly string[] = SETTINGS): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-postgres-'))
  giveToServer(folder)
  const data = join(folder, 'data')
  const options = ['--no-sync', '--auth=trust', '--encoding=UTF8', '--locale=C', '-U', ACCOUNT]
  execFileSync(program('initdb'), [...options, '-D', data], { ...accountOf(), cwd: folder })
  return await startAgain(folder, await freePort(), settings)
}

/** Starts the cluster of a folder again, on a port. */
export async function startAgain(
  folder: string,
  port: number,
  settings: readonly string[] = SETTINGS,
): Promise<Cluster> {
  const place = ['-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', String(port), '-k', folder]
  const server = spawn(program('postgres'), [...place, ...settings], {
    ...accountOf(),
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  })
  server.unref()
  const { pid } = server
  if (pid === undefined) throw new Error('postgres did not start')
  const answers = () =>
    spawnSync(program('pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0
  while (!answers()) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    await delay(50)
  }
  return { folder, port, pid, url: (name) => `postgres://${ACCOUNT}@127.0.0.1:${port}/${name}` }
}

/** Copies a running cluster, and starts the copy as its standby, which follows it. The caller removes it. */
export async function startStandby({ port }: Cluster): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-standby-'))
  giveToServer(folder)
  const source = ['-h', '127.0.0.1', '-p', String(port), '-U', ACCOUNT]
  const options = [
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
    '-D',
    join(folder, 'data'),
  ]
  execFileSync(program('pg_basebackup'), [...source, ...options], { ...accountOf(), cwd: folder })
  return await startAgain(folder, await freePort())
}

/** Ends a cluster at once, as a power failure would, and waits until it is gone. */
export async function killCluster(folder: string): Promise<void> {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  // SIGQUIT ends its processes too, without a checkpoint.
  signal(pid, 'SIGQUIT')
  while (signal(pid, 0)) await delay(20)
}

/** Ends a cluster and deletes it. */
export async function removeCluster(folder: string): Promise<void> {
  await killCluster(folder)
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the path of a program of PostgreSQL. */
export function program(name: string): string {
  const programs = postgresPrograms()
  if (programs === undefined) {
    throw new Error(`postgresql is missing: ${installCommand('postgresql')}`)
  }
  return join(programs, name)
}

/** Gives a file to the account of the server. */
export function giveToServer(path: string): void {
  const account = accountOf()
  if (account !== undefined) chownSync(path, account.uid, account.gid)
}

function accountOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string) =>
    Number(execFileSync('id', [option, ACCOUNT], { encoding: 'utf8' }).trim())
  return { uid: id('-u'), gid: id('-g') }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
