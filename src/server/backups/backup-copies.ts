import { join, resolve } from 'node:path'
import type { KeptCopy } from '../../shared/console/settings/backups.ts'
import type { Leadership } from '../runtime/cluster/leadership.ts'
import type { CopyMaker } from '../storage/interface/engine.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageProblem } from '../storage/open-storage.ts'
import type { FileBackups } from './files/file-backups.ts'
import {
  copyName,
  type NamedCopy,
  namedCopies,
  readName,
  removeCopy,
  removePartials,
  restrictCopies,
  showCopy,
} from './folder.ts'

export interface BackupSettings {
  /** Hours between two copies, 0 for none unless someone asks. */
  readonly everyHours: number
  /** Where the copies go; `backups` in the data folder by default. */
  readonly folder?: string | undefined
  /** Own copies that are kept, 1 or more. */
  readonly keep: number
}

/** What scheduled backups need of the storage. */
export interface BackupParts {
  readonly copies: CopyMaker
  /** Of all servers on the storage, only the leader makes copies on the schedule. */
  readonly leadership: Leadership
  readonly dataFolder: string
  /** The location of a database that is backed up with its own tools; undefined if copies can be made. */
  readonly elsewhere?: string | undefined
  /** Copies the files that backups name; undefined if the server keeps none. */
  readonly files?: FileBackups | undefined
}

/** Returns where backups go. */
export function backupFolderOf(
  { folder }: Pick<BackupSettings, 'folder'>,
  dataFolder: string,
): string {
  return resolve(folder ?? join(dataFolder, 'backups'))
}

const SECOND = 1_000

type Check = Pick<KeptCopy, 'checkedAt' | 'problem'>

interface CopiesParts {
  readonly maker: CopyMaker
  readonly folder: string
  /** Whose copies are made and deleted here, see `ownerOf`. Those of others are only listed. */
  readonly owner: string
  /** Own copies that are kept, 1 or more. */
  readonly keep: number
}

/** The copies in the folder of backups: makes, lists and checks them, and deletes the oldest. */
export class BackupCopies {
  readonly folder: string
  readonly #maker: CopyMaker
  readonly #owner: string
  readonly #keep: number
  readonly #checks = new Map<string, Check>()
  /** When the last copy was made here, on the monotonic clock. */
  #ticks: number | undefined

  constructor({ maker, folder, owner, keep }: CopiesParts) {
    this.#maker = maker
    this.folder = folder
    this.#owner = owner
    this.#keep = keep
  }

  /** Restricts own copies to the account; earlier versions left some readable by others. */
  restrict(): Promise<void> {
    return restrictCopies(this.folder, this.#owner)
  }

  /** Lists the copies of all owners, newest first. Throws `StorageError`. */
  async list(): Promise<KeptCopy[]> {
    const named = await namedCopies(this.folder)
    named.sort((a, b) => b.at - a.at)
    const shown = await Promise.all(named.map((copy) => this.#show(copy)))
    const copies = shown.filter((copy) => copy !== undefined)
    for (const name of this.#checks.keys()) {
      if (!copies.some((copy) => copy.name === name)) this.#checks.delete(name)
    }
    return copies.map((copy) => ({ ...copy, ...this.#checks.get(copy.name) }))
  }

  /** Returns when the last own copy was made. */
  async last(): Promise<LastCopy> {
    const now = Date.now()
    // A folder that cannot be read makes a copy due, and that says what is wrong.
    const copies = await namedCopies(this.folder).catch(() => [])
    const own = copies.filter(({ owner, at }) => owner === this.#owner && at <= now)
    const at = own.length === 0 ? undefined : Math.max(...own.map((copy) => copy.at))
    return { at, ticks: this.#ticks }
  }

  /** Makes a copy, and deletes the oldest ones beyond those that are kept. */
  async make(signal: AbortSignal): Promise<KeptCopy> {
    this.#maker.createFolder(this.folder)
    await removePartials(this.#maker, this.folder, this.#owner)
    const made = await this.#freeName()
    await this.#maker.make(join(this.folder, made.name), signal)
    this.#ticks = performance.now()
    await this.#prune(made)
    const copy = await this.#show(made)
    if (copy === undefined) throw this.#gone(made.name)
    return copy
  }

  /** Returns one of the copies. Throws `StorageError` `missing`. */
  async find(name: string): Promise<KeptCopy> {
    const named = readName(name)
    const copy = named && (await this.#show(named))
    if (copy === undefined) throw this.#gone(name)
    return copy
  }

  /** Reads one of the copies through. What is wrong with it is in the answer. Throws `StorageError`. */
  async check(name: string, signal: AbortSignal): Promise<KeptCopy> {
    const copy = await this.find(name)
    const problem = await this.#maker.inspect(copy.file, signal).then(
      () => null,
      (error: unknown) => storageProblem(error, copy.file),
    )
    const check = { checkedAt: new Date().toISOString(), problem }
    this.#checks.set(name, check)
    return { ...copy, ...check }
  }

  #show(copy: NamedCopy): Promise<KeptCopy | undefined> {
    return showCopy(this.#maker, this.folder, copy, this.#owner)
  }

  /** Two copies of one second must not have one name. */
  async #freeName(): Promise<NamedCopy> {
    const taken = new Set((await namedCopies(this.folder)).map(({ name }) => name))
    let at = Math.floor(Date.now() / SECOND) * SECOND
    while (taken.has(copyName(this.#owner, at))) at += SECOND
    return { name: copyName(this.#owner, at), owner: this.#owner, at }
  }

  async #prune(made: NamedCopy): Promise<void> {
    const copies = await namedCopies(this.folder)
    for (const copy of copiesToDelete(copies, made, this.#keep)) removeCopy(this.folder, copy)
  }

  #gone(name: string): StorageError {
    const circumstance = { kind: 'backup' } as const
    return new StorageError({ code: 'missing', file: join(this.folder, name), circumstance })
  }
}

/** When the last copy was made, by both clocks of the process; undefined if it is not known. */
interface LastCopy {
  /** Unix time in milliseconds. */
  readonly at: number | undefined
  /** Milliseconds on the monotonic clock; known for copies that this process made. */
  readonly ticks: number | undefined
}

/**
 * Whether a copy is due. A wall clock that was set back must not put it off, which the monotonic
 * clock sees to; that one stands still while the computer sleeps, which the wall clock sees to. A
 * backup from the future is ignored.
 */
export function isDue(last: LastCopy, every: number, now: number, ticks: number): boolean {
  const byWall = last.at === undefined || last.at > now ? undefined : now - last.at
  const byTicks = last.ticks === undefined ? undefined : ticks - last.ticks
  if (byWall === undefined && byTicks === undefined) return true
  return Math.max(byWall ?? 0, byTicks ?? 0) >= every
}

/**
 * The copies to delete so that `keep` are left, 1 or more: the newest, and always `made`, the one
 * just made. Copies of other owners are never among them. Where the clock was set back, copies from
 * the future count as the oldest: otherwise they would stay, and every true one would go.
 */
export function copiesToDelete(
  copies: readonly NamedCopy[],
  made: NamedCopy,
  keep: number,
): readonly NamedCopy[] {
  const age = ({ at }: NamedCopy) => (at > made.at ? 1 : 0)
  return copies
    .filter(({ owner, name }) => owner === made.owner && name !== made.name)
    .sort((a, b) => age(a) - age(b) || b.at - a.at)
    .slice(Math.max(keep - 1, 0))
}
