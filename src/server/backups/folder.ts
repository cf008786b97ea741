import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { KeptCopy } from '../../shared/console/settings/backups.ts'
import { restrict } from '../runtime/account.ts'
import type { CopyMaker } from '../storage/interface/engine.ts'
import { storageError, storageProblem } from '../storage/open-storage.ts'

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

const PARTIAL = '.partial'

/** The copies in a folder by their names; none if there is no folder. Throws `StorageError`. */
export async function namedCopies(folder: string): Promise<NamedCopy[]> {
  const names = await namesIn(folder)
  return names.flatMap((name) => readName(name) ?? [])
}

/** Restricts this owner's copies to the account; earlier versions left some readable by others. */
export async function restrictCopies(folder: string, owner: string): Promise<void> {
  for (const copy of await namedCopies(folder)) {
    if (copy.owner === owner) restrict(join(folder, copy.name), 0o600)
  }
}

/** Deletes what killed backups of this owner left. */
export async function removePartials(
  { discard }: CopyMaker,
  folder: string,
  owner: string,
): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(PARTIAL)) continue
    if (readName(name.slice(0, -PARTIAL.length))?.owner === owner) {
      discard(join(folder, name))
    }
  }
}

/** Deletes one copy. Throws `StorageError`. */
export function removeCopy(folder: string, { name }: NamedCopy): void {
  const file = join(folder, name)
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw storageError(error, file)
  }
}

/** A copy as it is shown; undefined if it is gone meanwhile. Reads its header alone. */
export async function showCopy(
  { schemaOf }: CopyMaker,
  folder: string,
  { name, owner, at }: NamedCopy,
  self: string,
): Promise<KeptCopy | undefined> {
  const file = join(folder, name)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true) return undefined
  const madeAt = new Date(at).toISOString()
  const shown = { name, file, madeAt, bytes: found.size, own: owner === self, checkedAt: madeAt }
  try {
    return { ...shown, schema: schemaOf(file), problem: null }
  } catch (error) {
    return { ...shown, schema: null, problem: storageProblem(error, file) }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw storageError(error, folder)
  }
}
