import type { AuditEntry } from '../../catalog/audit-log.ts'
import type { DeliveryRecord, OutboxWrites } from '../../outbox/store.ts'
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
import type { TransactionScope } from '../writer/transaction-scope.ts'
import type { PeopleReader } from './people-reader.ts'
import type { PeopleWriter } from './people-writer.ts'

/** What the work of one transaction may do with people, until its scope ends. */
export class PeopleTransaction implements PeopleWrites {
  readonly #scope: TransactionScope<PeopleReader, PeopleWriter>
  readonly #outbox: OutboxWrites

  /** `outbox`: of the same transaction. */
  constructor(scope: TransactionScope<PeopleReader, PeopleWriter>, outbox: OutboxWrites) {
    this.#scope = scope
    this.#outbox = outbox
  }

  async state(): Promise<PeopleState> {
    return this.#scope.read((reader) => reader.state())
  }

  async insertAccount(account: NewAccount): Promise<void> {
    this.#scope.write((writer) => writer.insertAccount(account))
  }

  async setEmail(accountId: string, email: string | null): Promise<void> {
    this.#scope.write((writer) => writer.setEmail(accountId, email))
  }

  async setPassword(accountId: string, hash: string): Promise<void> {
    this.#scope.write((writer) => writer.setPassword(accountId, hash))
  }

  async setVoucher(accountId: string, person: string | null): Promise<void> {
    this.#scope.write((writer) => writer.setVoucher(accountId, person))
  }

  async setAccess(accountId: string, access: StoredAccess): Promise<void> {
    this.#scope.write((writer) => writer.setAccess(accountId, access))
  }

  async setDisabled(accountId: string, at: string | null): Promise<void> {
    this.#scope.write((writer) => writer.setDisabled(accountId, at))
  }

  async deleteAccount(accountId: string): Promise<void> {
    this.#scope.write((writer) => writer.deleteAccount(accountId))
  }

  async insertSession(session: SessionRecord): Promise<void> {
    this.#scope.write((writer) => writer.insertSession(session))
  }

  async deleteSessions(ids: readonly string[]): Promise<void> {
    this.#scope.write((writer) => writer.deleteSessions(ids))
  }

  async insertLink(link: LinkRecord): Promise<void> {
    this.#scope.write((writer) => writer.insertLink(link))
  }

  async deleteLinks(tokenHashes: readonly string[]): Promise<void> {
    this.#scope.write((writer) => writer.deleteLinks(tokenHashes))
  }

  async setTotp(accountId: string, totp: Omit<TotpRecord, 'accountId'> | null): Promise<void> {
    this.#scope.write((writer) => writer.setTotp(accountId, totp))
  }

  async setRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void> {
    this.#scope.write((writer) => writer.setRecoveryCodes(accountId, hashes))
  }

  async deleteRecoveryCode(accountId: string, hash: string): Promise<void> {
    this.#scope.write((writer) => writer.deleteRecoveryCode(accountId, hash))
  }

  async insertPasskey(passkey: NewPasskey): Promise<void> {
    this.#scope.write((writer) => writer.insertPasskey(passkey))
  }

  async setPasskeyUse(id: string, counter: number, at: string): Promise<void> {
    this.#scope.write((writer) => writer.setPasskeyUse(id, counter, at))
  }

  async deletePasskey(id: string): Promise<void> {
    this.#scope.write((writer) => writer.deletePasskey(id))
  }

  async insertIdentity(identity: IdentityRecord): Promise<void> {
    this.#scope.write((writer) => writer.insertIdentity(identity))
  }

  async deleteIdentity(issuer: string, subject: string): Promise<void> {
    this.#scope.write((writer) => writer.deleteIdentity(issuer, subject))
  }

  async appendAudit(entry: AuditEntry): Promise<void> {
    this.#scope.write((writer) => writer.appendAudit(entry))
  }

  async insertMail(mail: DeliveryRecord): Promise<void> {
    await this.#outbox.insertDelivery(mail)
  }
}
