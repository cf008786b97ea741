import type { Holder } from '../../../shared/storage-problem.ts'
import { formatSize } from '../../../shared/wording/format.ts'

/** Texts of `upgrade`. */
export const text = {
  description:
    'Copy the database (SQLite only) and migrate it to this version; stop the server first',
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
  isReadyWithoutCopy:
    'Ready to upgrade. Back up the database first, such as with pg_dump. The next start migrates it in one transaction, as "upgrade" does.',
  stopNodes:
    'Nodes are running. Back up the database first, such as with pg_dump. The migration is refused while nodes run that could not go on.',
  done: (from: number, to: number, copy: string | undefined) => [
    `Migrated the database from schema ${from} to ${to}.`,
    ...(copy === undefined ? [] : [`Copied the previous database to ${copy}.`]),
  ],
} as const
