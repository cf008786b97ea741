import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type { DeliveryRecord } from '../../../outbox/store.ts'
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
} from '../../../people/store.ts'
import { appendAudit } from '../catalog/audit-log.ts'
import type { Transaction } from '../connection/database.ts'
import { insertDelivery } from '../outbox/outbox-writes.ts'
import type { TransactionScope } from '../transactions/scope.ts'
import { peopleState } from './people-reads.ts'
import * as writes from './people-writes.ts'

/** What the work of one transaction may do with people, until its scope ends. */
export class PostgresPeopleTransaction implements PeopleWrites {
  readonly #scope: TransactionScope

  constructor(scope: TransactionScope) {
    this.#scope = scope
  }

  state(): Promise<PeopleState> {
    return this.#scope.read((tx) => peopleState(tx))
  }

  insertAccount(account: NewAccount): Promise<void> {
    return this.#write((tx) => writes.insertAccount(tx, account))
  }

  setEmail(accountId: string, email: string | null): Promise<void> {
    return this.#write((tx) => writes.setEmail(tx, accountId, email))
  }

  setPassword(accountId: string, hash: string): Promise<void> {
    return this.#write((tx) => writes.setPassword(tx, accountId, hash))
  }

  setVoucher(accountId: string, person: string | null): Promise<void> {
    return this.#write((tx) => writes.setVoucher(tx, accountId, person))
  }

  setAccess(accountId: string, access: StoredAccess): Promise<void> {
    return this.#write((tx) => writes.setAccess(tx, accountId, access))
  }

  setDisabled(accountId: string, at: string | null): Promise<void> {
    return this.#write((tx) => writes.setDisabled(tx, accountId, at))
  }

  deleteAccount(accountId: string): Promise<void> {
    return this.#write((tx) => writes.deleteAccount(tx, accountId))
  }

  insertSession(session: SessionRecord): Promise<void> {
    return this.#write((tx) => writes.insertSession(tx, session))
  }

  deleteSessions(ids: readonly string[]): Promise<void> {
    return this.#write((tx) => writes.deleteSessions(tx, ids))
  }

  insertLink(link: LinkRecord): Promise<void> {
    return this.#write((tx) => writes.insertLink(tx, link))
  }

  deleteLinks(tokenHashes: readonly string[]): Promise<void> {
    return this.#write((tx) => writes.deleteLinks(tx, tokenHashes))
  }

  setTotp(accountId: string, totp: Omit<TotpRecord, 'accountId'> | null): Promise<void> {
    return this.#write((tx) => writes.setTotp(tx, accountId, totp))
  }

  setRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void> {
    return this.#write((tx) => writes.setRecoveryCodes(tx, accountId, hashes))
  }

  deleteRecoveryCode(accountId: string, hash: string): Promise<void> {
    return this.#write((tx) => writes.deleteRecoveryCode(tx, accountId, hash))
  }

  insertPasskey(passkey: NewPasskey): Promise<void> {
    return this.#write((tx) => writes.insertPasskey(tx, passkey))
  }

  setPasskeyUse(id: string, counter: number, at: string): Promise<void> {
    return this.#write((tx) => writes.setPasskeyUse(tx, id, counter, at))
  }

  deletePasskey(id: string): Promise<void> {
    return this.#write((tx) => writes.deletePasskey(tx, id))
  }

  insertIdentity(identity: IdentityRecord): Promise<void> {
    return this.#write((tx) => writes.insertIdentity(tx, identity))
  }

  deleteIdentity(issuer: string, subject: string): Promise<void> {
    return this.#write((tx) => writes.deleteIdentity(tx, issuer, subject))
  }

  appendAudit(entry: AuditEntry): Promise<void> {
    return this.#write((tx) => appendAudit(tx, entry))
  }

  insertMail(mail: DeliveryRecord): Promise<void> {
    return this.#scope.write('outbox', (tx) => insertDelivery(tx, mail))
  }

  #write<T>(write: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#scope.write('people', write)
  }
}
