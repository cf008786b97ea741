import { onTestFinished } from 'vitest'
import type { Account, Caller, Session, SignedIn } from '../../../src/server/people/account.ts'
import type { PeopleParts } from '../../../src/server/people/connect-people.ts'
import { type Acting, People } from '../../../src/server/people/people.ts'
import { attachStorage } from '../../../src/server/storage/open-storage.ts'
import type { Access } from '../../../src/server/use-cases/access.ts'
import { databaseOf } from '../servers/engine.ts'
import { preparedFolder } from './folders.ts'
import { FAST_PASSWORDS, PASSWORD } from './passwords.ts'

export { OTHER_PASSWORD, PASSWORD } from './passwords.ts'

export const HOME: Caller = { address: '192.0.2.7', userAgent: 'Firefox on Linux' }
export const AWAY: Caller = { address: '198.51.100.9', userAgent: 'Safari on macOS' }

/** The server's machine. */
export const ROOT: Acting = {
  actor: { kind: 'command_line', name: 'root' },
  accountId: null,
}

/** What a person may do who has one role on the server. */
export function access(server: Access['server'] = null): Access {
  return { server, apps: new Map() }
}

/** A clock that stands still until it is moved. */
export interface TestClock {
  now: number
}

interface Options extends Partial<PeopleParts> {
  /** An existing data folder; a new one by default. */
  readonly folder?: string
  readonly time?: TestClock
}

/** Opens the people of a data folder on the engine of the run, with cheap password hashes, until the test ends. */
export async function openPeople({ folder = preparedFolder(), ...options }: Options = {}) {
  const time = options.time ?? { now: Date.parse('2026-03-14T09:26:53.589Z') }
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  const { catalog, people: store } = storage
  const people = await People.open(store, {
    clock: () => time.now,
    limitsClock: () => time.now,
    ...FAST_PASSWORDS,
    appRef: () => undefined,
    ...options,
  })
  const close = async () => {
    await people.stop()
    closed ??= storage.close()
    await closed
  }
  let closed: Promise<void> | undefined
  onTestFinished(close)
  /** The newest entries of the audit log first. */
  const audit = () => catalog.audit({ limit: 100 })
  return { people, store, folder, time, audit, close }
}

/** Sets the server up: returns the first administrator, signed in. */
export async function setUp(people: People, name = 'mia', caller = HOME): Promise<SignedIn> {
  const { token } = await people.createSetupLink()
  const result = await people.acceptLink(token, { name, password: PASSWORD }, caller)
  if (result.kind !== 'signed_in') throw new Error('a new account has no second factor')
  return result
}

/** Invites somebody, who accepts: returns them signed in. */
export async function join(
  people: People,
  name: string,
  role: Access['server'] = 'viewer',
  caller = HOME,
): Promise<SignedIn> {
  const { token } = await people.invite(ROOT, { name, access: access(role) })
  const result = await people.acceptLink(token, { password: PASSWORD }, caller)
  if (result.kind !== 'signed_in') throw new Error('a new account has no second factor')
  return result
}

/** Signs in without a second factor. */
export async function signIn(
  people: People,
  name: string,
  password = PASSWORD,
  caller = HOME,
): Promise<SignedIn> {
  const result = await people.signIn({ name, password }, caller)
  if (result.kind !== 'signed_in') throw new Error('a second factor is asked for')
  return result
}

/** Somebody who administers from a session. */
export function acting({ account }: Session): Acting {
  return { actor: { kind: 'person', name: account.name }, accountId: account.id }
}

export function named(accounts: readonly Account[], name: string): Account {
  const account = accounts.find((candidate) => candidate.name === name)
  if (account === undefined) throw new Error(`no account ${name}`)
  return account
}
