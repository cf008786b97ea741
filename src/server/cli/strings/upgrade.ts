import type { Holder } from '../../../shared/storage-problem.ts'
import { formatSize } from '../../../shared/wording/format.ts'

/** Texts of `upgrade`. */
export const text = {
  description: 'Copy the database and migrate it to this version; stop the server first',
  check: 'Only show what an upgrade would do, and whether it can',

  database: (file: string) => `Database  ${file}`,
  schema: (found: number, used: number, version: string) =>
    `Schema    ${found} (Tidegate ${version} uses ${used})`,
  notInUse: 'Server    not running',
  inUse: (holder: Holder | null) => {
    if (holder === null) return 'Server    running'
    const { pid, address } = holder
    return `Server    running${address === null ? '' : ` at ${address}`} (process ${pid})`
  },
  copy: (file: string) => `Copy      ${file}`,
  disk: (needed: number, free: number | undefined) => {
    const bytes = `Disk      up to ${formatSize(needed)} needed`
    return free === undefined ? bytes : `${bytes}, ${formatSize(free)} free`
  },

  isCurrent: 'The database is up to date.',
  isReady:
    'Ready to upgrade. The next start copies the database and then migrates it, as "upgrade" does.',
  stopFirst:
    'Ready to upgrade. Stop the server, then start this version: it copies the database and then migrates it.',
  noSpace: (needed: number, free: number) =>
    `not enough disk space for an upgrade: up to ${formatSize(needed)} needed, ${formatSize(free)} free. Free some space, or move the data folder to a larger disk.`,
  done: (from: number, to: number, copy: string) => [
    `Migrated the database from schema ${from} to ${to}.`,
    `Copied the previous database to ${copy}.`,
  ],
} as const
