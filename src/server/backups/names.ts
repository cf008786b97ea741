import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

const NAME = /^tidegate-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** A backup, identified by its name. */
export interface NamedCopy {
  readonly name: string
  /** The data folder that it is a copy of, see `ownerOf`. */
  readonly owner: string
  /** Unix time in milliseconds, whole seconds. */
  readonly at: number
}

/** Distinguishes data folders that share a backup folder: eight hexadecimal digits. */
export function ownerOf(dataFolder: string): string {
  return createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 8)
}

/** The name of a copy made at that Unix time, such as `tidegate-1f2e3d4c-20260131T235959Z.db`. */
export function copyName(owner: string, at: number): string {
  const stamp = `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  return `tidegate-${owner}-${stamp}.db`
}

/** Reads such a name; undefined for whatever was not named here. */
export function readName(name: string): NamedCopy | undefined {
  const [, owner, ...parts] = NAME.exec(name) ?? []
  if (owner === undefined) return undefined
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  const at = Date.UTC(year, month - 1, ...rest)
  return copyName(owner, at) === name ? { name, owner, at } : undefined
}
