import { readdirSync, readFileSync } from 'node:fs'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { removeCluster, startCluster } from '../../support/postgres/cluster.ts'
import { cpuTimes } from '../process/procfs.ts'

/** As on a server with 8 GiB of memory. What is not set is PostgreSQL's default, so that a commit waits for the disk. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  wal_compression: 'lz4',
  max_connections: '100',
  log_min_messages: 'error',
} as const

/** The settings in one line. */
export const SETTINGS_TEXT = Object.entries(SETTINGS)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')

/** The PostgreSQL that a run measures. */
export interface MeasuredCluster {
  url(database: string): string
  /** Creates a database. Returns its connection URI. */
  create(database: string): Promise<string>
  /** CPU seconds of all its processes since it was started, with those that have ended. In steps of 10 ms. */
  cpu(): number
  remove(): Promise<void>
}

/** Starts a PostgreSQL with the settings of a production server, which ends with this process at the latest. */
export async function startMeasuredCluster(): Promise<MeasuredCluster> {
  const options = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { folder, pid, url } = await startCluster(options)
  const onExit = () => process.kill(pid, 'SIGQUIT')
  process.once('exit', onExit)
  const remove = async () => {
    process.off('exit', onExit)
    await removeCluster(folder)
  }
  const create = async (name: string) => {
    const database = new PostgresDatabase(url('postgres'), 1)
    await database.run(`CREATE DATABASE ${name}`)
    await database.close()
    return url(name)
  }
  return { url, create, cpu: () => cpuOfFamily(pid), remove }
}

function cpuOfFamily(parent: number): number {
  const running = readdirSync('/proc').filter((name) => parentOf(name) === parent)
  const ofChildren = running.reduce((sum, name) => sum + cpuTimes(Number(name)).all, 0)
  return ofChildren + cpuTimes(parent).all + endedChildren(parent)
}

function parentOf(name: string): number | undefined {
  return /^\d+$/.test(name) ? Number(fieldsOf(name)[1]) : undefined
}

/** Seconds of children that have ended. */
function endedChildren(pid: number): number {
  const fields = fieldsOf(String(pid))
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100
}

/** The fields of `/proc/PID/stat` from the third on: state, parent, and so on; none if the process has ended. */
function fieldsOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
