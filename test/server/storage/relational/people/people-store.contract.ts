import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DuplicateError } from '../../../../../src/server/catalog/store.ts'
import type {
  AccountRecord,
  NewAccount,
  PeopleStore,
  PeopleWrites,
  SessionRecord,
} from '../../../../../src/server/people/store.ts'

/** The people of one storage, seen through two stores that share nothing else. */
export interface PeopleUnderTest {
  readonly store: PeopleStore
  readonly other: PeopleStore
  /** The actions of the audit log, oldest first. */
  readonly actions: () => Promise<string[]>
  readonly close: () => Promise<void>
}

const AT = '2026-03-14T09:26:53.589Z'
const LATER = '2026-03-15T00:00:00.000Z'
const PATIENTLY = { timeout: 5_000, interval: 20 } as const

function newAccount(name: string): NewAccount {
  const passwordHash = null
  return {
    id: `id-${name}`,
    name,
    nameKey: name,
    serverRole: 'viewer',
    createdAt: AT,
    email: null,
    passwordHash,
    vouchedBy: null,
  }
}

function stored(name: string, parts: Partial<AccountRecord> = {}): AccountRecord {
  return { ...newAccount(name), disabledAt: null, lastSeenAt: null, ...parts }
}

function newSession(id: string, accountId = 'id-mia'): SessionRecord {
  return {
    ...{ id, kind: 'browser', accountId, tokenHash: `hash-${id}`, createdAt: AT, lastUsedAt: AT },
    ...{ expiresAt: LATER, address: '192.0.2.7', userAgent: 'Firefox' },
  }
}

/** What any store of people must do. */
export function peopleStoreContract(name: string, make: () => Promise<PeopleUnderTest>): void {
  describe(name, () => {
    let under: PeopleUnderTest
    beforeEach(async () => {
      under = await make()
      await under.store.transact(async (tx) => {
        await tx.insertAccount(newAccount('mia'))
        await tx.insertAccount(newAccount('noah'))
      })
    })
    afterEach(() => under.close())

    const state = async (store = under.store) => {
      const all = await store.stateUnless(0)
      if (all === null) throw new Error('nothing is stored')
      return all
    }
    const write = <T>(work: (tx: PeopleWrites) => Promise<T>) => under.store.transact(work)

    test('accounts are changed and deleted with all that belongs to them', async () => {
      await write(async (tx) => {
        await tx.setPassword('id-mia', '$scrypt$')
        await tx.setVoucher('id-mia', 'account:noah')
        await tx.setAccess('id-mia', { serverRole: 'administrator', appRoles: [] })
        await tx.setDisabled('id-noah', AT)
      })
      expect((await state()).accounts).toEqual([
        stored('mia', {
          ...{ passwordHash: '$scrypt$', serverRole: 'administrator', vouchedBy: 'account:noah' },
        }),
        stored('noah', { disabledAt: AT }),
      ])
      const passkey = {
        ...{ id: 'key', accountId: 'id-mia', name: 'Phone', publicKey: 'pQ', counter: 0 },
        ...{ transports: ['internal', 'hybrid'], createdAt: AT },
      }
      const link = { tokenHash: 'link', kind: 'reset', accountId: 'id-mia', createdAt: AT } as const
      const identity = { issuer: 'https://id', subject: '1', accountId: 'id-mia', createdAt: AT }
      await write(async (tx) => {
        await tx.insertSession(newSession('s'))
        await tx.insertLink({ ...link, expiresAt: LATER })
        await tx.insertPasskey(passkey)
        await tx.setTotp('id-mia', { secret: 'GE', lastStep: 7, createdAt: AT })
        await tx.setRecoveryCodes('id-mia', ['a', 'b'])
        await tx.insertIdentity(identity)
      })
      expect(await state()).toMatchObject({
        sessions: [newSession('s')],
        links: [{ ...link, expiresAt: LATER }],
        passkeys: [{ ...passkey, lastUsedAt: null }],
        totps: [{ accountId: 'id-mia', secret: 'GE', lastStep: 7, createdAt: AT }],
        recoveryCodes: [
          { accountId: 'id-mia', hash: 'a' },
          { accountId: 'id-mia', hash: 'b' },
        ],
        identities: [identity],
      })
      await write((tx) => tx.deleteAccount('id-mia'))
      const { revision: _, ...rest } = await state()
      expect(rest).toEqual({
        accounts: [stored('noah', { disabledAt: AT })],
        ...{ appRoles: [], sessions: [], links: [], passkeys: [], totps: [] },
        ...{ recoveryCodes: [], identities: [] },
      })
    })

    test('parts of an account are replaced and deleted one by one', async () => {
      await write(async (tx) => {
        await tx.insertSession(newSession('s'))
        await tx.insertSession(newSession('t'))
        await tx.deleteSessions(['s', 'unknown'])
        await tx.insertLink({
          ...{ tokenHash: 'link', kind: 'setup', accountId: null, createdAt: AT, expiresAt: LATER },
        })
        await tx.deleteLinks(['link', 'unknown'])
        await tx.setTotp('id-mia', { secret: 'GE', lastStep: 7, createdAt: AT })
        await tx.setTotp('id-mia', null)
        await tx.setRecoveryCodes('id-mia', ['a', 'b'])
        await tx.setRecoveryCodes('id-mia', ['c', 'd'])
        await tx.deleteRecoveryCode('id-mia', 'c')
        const key = { accountId: 'id-mia', name: 'Phone', publicKey: 'pQ', counter: 0 }
        await tx.insertPasskey({ ...key, id: 'one', transports: [], createdAt: AT })
        await tx.insertPasskey({ ...key, id: 'two', transports: [], createdAt: AT })
        await tx.setPasskeyUse('one', 4, LATER)
        await tx.deletePasskey('two')
        await tx.insertIdentity({ issuer: 'i', subject: 's', accountId: 'id-mia', createdAt: AT })
        await tx.deleteIdentity('i', 's')
      })
      expect(await state()).toMatchObject({
        ...{ sessions: [{ id: 't' }], links: [], totps: [], identities: [] },
        recoveryCodes: [{ hash: 'd' }],
        passkeys: [{ id: 'one', counter: 4, lastUsedAt: LATER }],
      })
    })

    test('names, tokens, passkeys and identities are unique', async () => {
      await write(async (tx) => {
        await tx.insertSession(newSession('s'))
        await tx.insertIdentity({ issuer: 'i', subject: 's', accountId: 'id-mia', createdAt: AT })
      })
      for (const repeat of [
        (tx: PeopleWrites) => tx.insertAccount({ ...newAccount('mia'), id: 'another' }),
        (tx: PeopleWrites) => tx.insertSession({ ...newSession('t'), tokenHash: 'hash-s' }),
        (tx: PeopleWrites) =>
          tx.insertIdentity({ issuer: 'i', subject: 's', accountId: 'id-noah', createdAt: AT }),
      ]) {
        await expect(write(repeat)).rejects.toBeInstanceOf(DuplicateError)
      }
    })

    test('what does not exist cannot be changed', async () => {
      for (const change of [
        (tx: PeopleWrites) => tx.setPassword('none', 'x'),
        (tx: PeopleWrites) => tx.setDisabled('none', AT),
        (tx: PeopleWrites) => tx.deleteAccount('none'),
        (tx: PeopleWrites) => tx.insertSession(newSession('s', 'none')),
      ]) {
        await expect(write(change)).rejects.toMatchObject({ code: 'rejected' })
      }
    })

    test('a transaction writes all or nothing, with its audit entry', async () => {
      const entry = {
        ...{ at: AT, actor: { kind: 'person', name: 'mia', address: '192.0.2.7' } as const },
        ...{ app: null, channel: null, version: null, before: null, after: null },
      }
      const issue = new Error('on purpose')
      const failing = write(async (tx) => {
        await tx.setDisabled('id-noah', AT)
        await tx.appendAudit({ ...entry, action: 'person.disabled' })
        throw issue
      })
      await expect(failing).rejects.toBe(issue)
      expect((await state()).accounts).toEqual([stored('mia'), stored('noah')])
      await write(async (tx) => {
        await tx.setDisabled('id-noah', AT)
        await tx.appendAudit({ ...entry, action: 'person.enabled' })
        expect((await tx.state()).accounts[1]).toEqual(stored('noah', { disabledAt: AT }))
        expect((await state(under.other)).accounts[1]).toEqual(stored('noah'))
      })
      expect((await state(under.other)).accounts[1]).toEqual(stored('noah', { disabledAt: AT }))
      expect(await under.actions()).toEqual(['person.enabled'])
    })

    test('transactions of both stores run one after the other, and lose nothing', async () => {
      const add = (store: PeopleStore) =>
        store.transact(async (tx) => {
          const { recoveryCodes } = await tx.state()
          await tx.setRecoveryCodes('id-mia', [
            ...recoveryCodes.map(({ hash }) => hash),
            `code-${recoveryCodes.length}`,
          ])
        })
      const stores = Array.from({ length: 10 }, () => [under.store, under.other]).flat()
      await Promise.all(stores.map(add))
      expect((await state()).recoveryCodes).toHaveLength(20)
    })

    test('a transaction is of no use after its end', async () => {
      const leaked: PeopleWrites[] = []
      await write(async (tx) => leaked.push(tx))
      for (const tx of leaked) {
        await expect(tx.state()).rejects.toThrow(/ended/)
        await expect(tx.setDisabled('id-mia', AT)).rejects.toThrow(/ended/)
      }
    })

    test('every change raises the revision; nothing is read at the same one', async () => {
      const { revision } = await state()
      expect(await under.store.stateUnless(revision)).toBeNull()
      expect(await under.other.stateUnless(revision)).toBeNull()
      await write((tx) => tx.setDisabled('id-mia', AT))
      expect((await under.other.stateUnless(revision))?.revision).toBeGreaterThan(revision)
    })

    test('uses of sessions are no change, and the latest stays', async () => {
      await write((tx) => tx.insertSession(newSession('s')))
      const { revision } = await state()
      await under.store.recordSessionUse([
        { sessionId: 's', at: '2026-05-01T00:00:00.000Z' },
        { sessionId: 's', at: '2026-04-01T00:00:00.000Z' },
        { sessionId: 'ended', at: '2026-04-01T00:00:00.000Z' },
      ])
      await under.store.recordSessionUse([])
      expect(await state()).toMatchObject({
        revision,
        sessions: [{ lastUsedAt: '2026-05-01T00:00:00.000Z' }],
        accounts: [{ lastSeenAt: '2026-05-01T00:00:00.000Z' }, { lastSeenAt: null }],
      })
    })

    test('watch calls once by itself, and after every commit of any store', async () => {
      const listener = { onChange: vi.fn(async () => {}), onFailure: vi.fn() }
      onTestFinished(under.store.watch(listener))
      await vi.waitFor(() => expect(listener.onChange).toHaveBeenCalledTimes(1), PATIENTLY)
      await under.other.transact((tx) => tx.setDisabled('id-mia', AT))
      await vi.waitFor(() => expect(listener.onChange).toHaveBeenCalledTimes(2), PATIENTLY)
      expect(listener.onFailure).not.toHaveBeenCalled()
    })
  })
}
