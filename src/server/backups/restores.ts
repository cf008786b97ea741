import { basename } from 'node:path'
import type {
  BackupSource,
  Inspection,
  LastRestore,
  RestoreBegun,
  RestoreProblem,
  RestoreStatus,
} from '../../shared/console/settings/backups.ts'
import type { Actor } from '../../shared/events/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import { Mutex } from '../runtime/async/mutex.ts'
import type { CopyComparison, LostReleases } from '../storage/interface/backups.ts'
import type { CopyMaker } from '../storage/interface/engine.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageProblem } from '../storage/open-storage.ts'
import type { Backups } from './backups.ts'
import type { FileBackups } from './files/file-backups.ts'
import { readName } from './folder.ts'
import type { BackupUploads } from './uploads.ts'

/** Backups that wait to be read: each is read through. */
const MAX_WAITING = 4

export interface RestoreRequest {
  /** The copy to restore, made by `CopyMaker.stage`. */
  readonly staged: string
  readonly actor: Actor
  /** Releases of the copy that lack files which the server should store. */
  readonly lacking: LostReleases
}

/** What starts the server, and can restart it with other data. */
export interface RestoreHost {
  /** Stops the server soon, restores, and starts it again. */
  restore(request: RestoreRequest): void
  /** The last restore; null if there was none. */
  last(): LastRestore | null
}

interface RestoreParts {
  readonly copies: CopyMaker
  readonly backups: Pick<Backups, 'find'>
  readonly uploads: BackupUploads
  /** Undefined if the server keeps no files. */
  readonly files?: FileBackups | undefined
  /** Undefined if nothing restarts this server. */
  readonly host: RestoreHost | undefined
}

/** Reads the backups of a running server, and prepares them to be restored by what started it. */
export class Restores {
  readonly #parts: RestoreParts
  readonly #stopped = new AbortController()
  readonly #mutex = new Mutex({ waiting: MAX_WAITING, busy: () => busy() })
  #hasBegun = false

  constructor(parts: RestoreParts) {
    this.#parts = parts
  }

  /** Deletes what a server that was killed left. */
  start(): void {
    this.#parts.copies.unstage()
  }

  /** Ends the reading of backups. */
  stop(): void {
    this.#stopped.abort(new Error('the server is stopping'))
  }

  status(): RestoreStatus {
    const { host, files } = this.#parts
    const progress = this.#hasBegun ? (files?.progress ?? null) : null
    return { available: host !== undefined, last: host?.last() ?? null, files: progress }
  }

  /** Returns what restoring a backup would do. Throws `unknown_upload` and `restore_busy`. */
  async inspect(source: BackupSource): Promise<Inspection> {
    const { copies, backups, uploads, files } = this.#parts
    const { signal } = this.#stopped
    const look = (file: string) =>
      inspectionOf(file, async () => ({
        ...(await copies.compare(file, signal)),
        files: (await files?.compare(file, signal)) ?? null,
      }))
    return await this.#mutex.run(async () => {
      if (source.kind === 'uploaded') {
        return await uploads.use(source.id, async ({ file, ...details }) =>
          shownAs(await look(file), details),
        )
      }
      try {
        return await look((await backups.find(source.name)).file)
      } catch (error) {
        return { ok: false, problem: storageProblem(error, nameOf(source)) }
      }
    })
  }

  /** Brings back files, checks a copy, has the server restarted. Throws `unknown_upload`, `restore_busy` and `restore_elsewhere`. */
  async begin(source: BackupSource, actor: Actor): Promise<RestoreBegun> {
    const { host } = this.#parts
    if (host === undefined) throw new Refusal({ code: 'restore_elsewhere' })
    if (this.#hasBegun) throw busy()
    this.#hasBegun = true
    try {
      host.restore({ ...(await this.#stage(source)), actor })
      return { ok: true }
    } catch (error) {
      this.#hasBegun = false
      if (error instanceof Refusal) throw error
      return { ok: false, problem: storageProblem(error, nameOf(source)) }
    }
  }

  async #stage(source: BackupSource): Promise<Pick<RestoreRequest, 'staged' | 'lacking'>> {
    const { copies, backups, uploads, files } = this.#parts
    const { signal } = this.#stopped
    const stage = (file: string) =>
      this.#mutex.run(async () => {
        const staged = await copies.stage(file, signal)
        try {
          return { staged, lacking: (await files?.restore(staged, signal)) ?? NONE_LACKING }
        } catch (error) {
          copies.unstage()
          throw error
        }
      })
    if (source.kind === 'listed') return await stage((await backups.find(source.name)).file)
    return await uploads.use(source.id, async ({ file, name }) => {
      try {
        return await stage(file)
      } catch (error) {
        const problem = storageProblem(error, file)
        throw new StorageError(problem.file === file ? { ...problem, file: name } : problem)
      }
    })
  }
}

export const NONE_LACKING: LostReleases = { count: 0, newest: [] }

/** A person knows an uploaded file by its own name, and by when it was written there. */
function shownAs(
  inspection: Inspection,
  { name, modified }: { readonly name: string; readonly modified: number },
): Inspection {
  if (!inspection.ok) return { ok: false, problem: named(inspection.problem, name) }
  const madeAt = new Date(readName(name)?.at ?? modified).toISOString()
  return { ...inspection, copy: { ...inspection.copy, file: name, madeAt } }
}

function named(problem: RestoreProblem, name: string): RestoreProblem {
  return 'file' in problem ? { ...problem, file: name } : problem
}

function busy(): Refusal {
  return new Refusal({ code: 'restore_busy' })
}

function nameOf(source: BackupSource): string {
  return source.kind === 'listed' ? source.name : source.id
}

type Compared = Extract<Inspection, { ok: true }>

/** Returns what restoring a backup would do, or why it cannot be restored. Never rejects. */
export async function inspectionOf(
  file: string,
  compare: () => Promise<CopyComparison & Pick<Compared, 'files'>>,
): Promise<Inspection> {
  try {
    const { copy, ...consequences } = await compare()
    const { changedAt, ...rest } = copy
    const at = readName(basename(copy.file))?.at ?? changedAt
    const madeAt = new Date(at).toISOString()
    return { ok: true, copy: { ...rest, madeAt }, ...consequences }
  } catch (error) {
    return { ok: false, problem: storageProblem(error, file) }
  }
}
