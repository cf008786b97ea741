import type { AuditEntry } from '../../catalog/audit-log.ts'
import type {
  IdentityRecord,
  LinkRecord,
  NewAccount,
  NewPasskey,
  PeopleState,
  PeopleWrites,
  SessionRecord,
  StoredAccess,
  TotpRecord,
} from '../../people/store.ts'
import type { Connection } from '../sqlite/database.ts'
import { transactionEnded } from '../sqlite/errors.ts'
import type { PeopleReader } from './people-reader.ts'
import type { PeopleWriter } from './people-writer.ts'

/** What the work of one transaction may do with people, until `end`. */
export class PeopleTransaction implements PeopleWrites {
  readonly #database: Connection
  readonly #reader: PeopleReader
  readonly #writer: PeopleWriter
  readonly #guard: <T>(work: () => T) => T
  #ended = false
  #raised = false

  constructor(parts: {
    database: Connection
    reader: PeopleReader
    writer: PeopleWriter
    guard: <T>(work: () => T) => T
  }) {
    this.#database = parts.database
    this.#reader = parts.reader
    this.#writer = parts.writer
    this.#guard = parts.guard
  }

  /** From now on every question and every write is refused. */
  end(): void {
    this.#ended = true
  }

  async state(): Promise<PeopleState> {
    this.#refuseAfterEnd()
    return this.#guard(() => this.#reader.state())
  }

  async insertAccount(account: NewAccount): Promise<void> {
    this.#write((writer) => writer.insertAccount(account))
  }

  async setPassword(accountId: string, hash: string): Promise<void> {
    this.#write((writer) => writer.setPassword(accountId, hash))
  }

  async setAccess(accountId: string, access: StoredAccess): Promise<void> {
    this.#write((writer) => writer.setAccess(accountId, access))
  }

  async setDisabled(accountId: string, at: string | null): Promise<void> {
    this.#write((writer) => writer.setDisabled(accountId, at))
  }

  async deleteAccount(accountId: string): Promise<void> {
    this.#write((writer) => writer.deleteAccount(accountId))
  }

  async insertSession(session: SessionRecord): Promise<void> {
    this.#write((writer) => writer.insertSession(session))
  }

  async deleteSessions(ids: readonly string[]): Promise<void> {
    this.#write((writer) => writer.deleteSessions(ids))
  }

  async insertLink(link: LinkRecord): Promise<void> {
    this.#write((writer) => writer.insertLink(link))
  }

  async deleteLinks(tokenHashes: readonly string[]): Promise<void> {
    this.#write((writer) => writer.deleteLinks(tokenHashes))
  }

  async setTotp(accountId: string, totp: Omit<TotpRecord, 'accountId'> | null): Promise<void> {
    this.#write((writer) => writer.setTotp(accountId, totp))
  }

  async setRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void> {
    this.#write((writer) => writer.setRecoveryCodes(accountId, hashes))
  }

  async deleteRecoveryCode(accountId: string, hash: string): Promise<void> {
    this.#write((writer) => writer.deleteRecoveryCode(accountId, hash))
  }

  async insertPasskey(passkey: NewPasskey): Promise<void> {
    this.#write((writer) => writer.insertPasskey(passkey))
  }

  async setPasskeyUse(id: string, counter: number, at: string): Promise<void> {
    this.#write((writer) => writer.setPasskeyUse(id, counter, at))
  }

  async deletePasskey(id: string): Promise<void> {
    this.#write((writer) => writer.deletePasskey(id))
  }

  async insertIdentity(identity: IdentityRecord): Promise<void> {
    this.#write((writer) => writer.insertIdentity(identity))
  }

  async deleteIdentity(issuer: string, subject: string): Promise<void> {
    this.#write((writer) => writer.deleteIdentity(issuer, subject))
  }

  async appendAudit(entry: AuditEntry): Promise<void> {
    this.#write((writer) => writer.appendAudit(entry))
  }

  #write(write: (writer: PeopleWriter) => void): void {
    this.#refuseAfterEnd()
    this.#guard(() => {
      if (!this.#raised) this.#writer.raiseRevision()
      this.#raised = true
      write(this.#writer)
    })
  }

  /** A full disk ends a transaction of SQLite by itself; the next write would then stand alone. */
  #refuseAfterEnd(): void {
    if (!this.#ended && this.#database.inTransaction) return
    throw transactionEnded(this.#database.name)
  }
}
