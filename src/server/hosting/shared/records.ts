import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { StoredFile } from '../file-index.ts'
import type { Upload } from '../uploads/uploads.ts'

/** A file as all nodes know it. */
export interface SharedFile extends StoredFile {
  /** Of its object; null in a folder. */
  readonly key: string | null
  /** It was not there, or had another size, when a node last looked: nobody gets it until it is there again. */
  readonly lost: boolean
}

/** What is known of one file, while nobody else changes it. */
export interface FileRecord {
  get(): Promise<SharedFile | undefined>
  /** Adds it, or replaces what is known. */
  put(file: Omit<SharedFile, 'lost'>): Promise<void>
  setLost(): Promise<void>
  remove(): Promise<void>
}

/** The files that all nodes know. Each method rejects with `StorageError`. */
export interface FileRecords {
  /**
   * Says where this node keeps its files. If others, which may run, keep theirs elsewhere, it rejects with `files_elsewhere`,
   * for which `shown` is the place; else nothing is known of files and uploads of the place before.
   */
  claim(place: string, shown: string): Promise<void>
  list(): Promise<SharedFile[]>
  /** Calls `onChange` after changes of any node, or some that were missed, until stopped. Absent without other nodes. */
  watch?(onChange: () => void): () => void
  /** Whether `work` that keeps the file is running or due. Absent where only the database knows. */
  isKept?(sha512: string): boolean
  /** Calls `onChange` with every file that changes, before `exclusively` resolves. Absent where only the database knows. */
  follow?(onChange: (sha512: string, file: SharedFile | undefined) => void): void
  /** Runs `work` while no node changes or removes the file; undoes its writes if it rejects. `keeps`: it is about to keep the file. */
  exclusively<T>(
    sha512: string,
    work: (record: FileRecord) => Promise<T>,
    keeps?: 'keeps',
  ): Promise<T>
}

/** Returns the files of a server alone, in memory: it reads what is stored at its start. */
export function ownRecords(): FileRecords {
  const files = new Map<string, SharedFile>()
  /** When whoever works with a file has ended, by its SHA-512. */
  const turns = new Map<string, Promise<void>>()
  /** How many keep a file, by its SHA-512. */
  const keepers = new Map<string, number>()
  let onChange: (sha512: string, file: SharedFile | undefined) => void = () => {}

  async function change<T>(sha512: string, work: (record: FileRecord) => Promise<T>): Promise<T> {
    const before = files.get(sha512)
    let file = before
    const result = await work({
      get: async () => file,
      async put(next) {
        file = { ...next, lost: false }
      },
      async setLost() {
        file = file && { ...file, lost: true }
      },
      async remove() {
        file = undefined
      },
    })
    if (file === undefined) files.delete(sha512)
    else files.set(sha512, file)
    if (file !== before) onChange(sha512, file)
    return result
  }

  function addKeepers(sha512: string, added: number): void {
    const count = (keepers.get(sha512) ?? 0) + added
    if (count === 0) keepers.delete(sha512)
    else keepers.set(sha512, count)
  }

  return {
    claim: async () => {},
    list: async () => [...files.values()],
    isKept: (sha512) => keepers.has(sha512),
    follow(follower) {
      onChange = follower
    },
    exclusively(sha512, work, keeps) {
      const keeping = keeps === undefined ? 0 : 1
      addKeepers(sha512, keeping)
      const changing = (turns.get(sha512) ?? Promise.resolve()).then(() => change(sha512, work))
      const done = () => {
        addKeepers(sha512, -keeping)
        if (turns.get(sha512) === turn) turns.delete(sha512)
      }
      const turn: Promise<void> = changing.then(done, done)
      turns.set(sha512, turn)
      return changing
    },
  }
}

/** An upload as all nodes know it. */
export interface SharedUpload extends Upload {
  /** The SHA-512 of the file that it has become; null before. */
  readonly file: string | null
}

/** Bytes of an upload that have arrived, and are where all nodes reach them under that name. */
export interface Piece {
  /** The first of them in the upload. */
  readonly start: number
  readonly size: number
  readonly name: string
}

/** The uploads that all nodes know. Each method rejects with `StorageError`. */
export interface UploadRecords {
  /** Those that have not become files. */
  list(): Promise<SharedUpload[]>
  find(id: string): Promise<SharedUpload | undefined>
  /** Begins an upload unless `allow`, which gets all of them with this one, rejects. No other begins meanwhile. */
  create(upload: Upload, allow: (all: readonly Upload[]) => Promise<void>): Promise<void>
  /** Adds what has arrived. False if it does not begin where the upload ends: others have gone on with it. */
  add(id: string, piece: Piece, now: number): Promise<boolean>
  /** Names of the pieces of an upload, in their order. */
  pieces(id: string): Promise<string[]>
  /** Returns which of these names are those of pieces. */
  known(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Writes the entry to the audit log, once for an upload, however often it is called. */
  record(id: string, entry: AuditEntry): Promise<void>
  /** The upload has become a file. It is remembered for those who did not get the answer, without its pieces. */
  finish(id: string, sha512: string): Promise<void>
  remove(id: string): Promise<void>
  /** Uploads to which nothing was added since that time. */
  idle(since: number): Promise<string[]>
}

/** What nodes share of the files that they keep. */
export interface SharedHosting {
  readonly files: FileRecords
  readonly uploads: UploadRecords
}
