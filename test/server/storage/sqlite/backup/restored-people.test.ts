import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backupDatabase } from '../../../../../src/server/storage/sqlite/backup/backup.ts'
import { compareCopy } from '../../../../../src/server/storage/sqlite/backup/inspect.ts'
import { restoreDatabase } from '../../../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import type { Role } from '../../../../../src/shared/access/role.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { preparedFolder, temporaryFolder } from '../../../../support/builders/folders.ts'
import {
  AWAY,
  HOME,
  join,
  named,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
} from '../../../../support/builders/people.ts'
import { commandLineToken } from '../../../../support/servers/command-line.ts'
import { addApps } from '../../../../support/servers/database.ts'

const FAILED = { facts: { code: 'sign_in_failed' } }

type Opened = Awaited<ReturnType<typeof openPeople>>

async function backUp(folder: string): Promise<string> {
  const backup = `${temporaryFolder()}/backup.db`
  await backupDatabase(folder, backup)
  return backup
}

/** A server with three people, and a backup of it. */
async function history() {
  const folder = preparedFolder()
  const { people, time, close } = await openPeople({ folder })
  const mia = await setUp(people)
  const noah = await join(people, 'noah', 'viewer', AWAY)
  const eve = await join(people, 'eve')
  const link = await people.createResetLink(ROOT, noah.session.account.id)
  const backup = await backUp(folder)
  return { folder, backup, people, time, close, mia, noah, eve, link }
}

test('a restore ends every session, and voids every link', async () => {
  const { folder, backup, people, time, close, mia, noah, link } = await history()
  await people.endSession(ROOT, noah.session.id)
  await people.acceptLink(link.token, { password: 'lantern-walrus-copper-9' }, HOME)
  await close()
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const { people: restored } = await openPeople({ folder, time })
  for (const { token } of [mia, noah]) expect(restored.find(token)).toBeUndefined()
  expect(restored.lookUpLink(link.token)).toBeUndefined()
  expect(await signIn(restored, 'mia')).toMatchObject({ session: HOME })
})

test('accounts that were disabled or removed since the backup cannot sign in after a restore', async () => {
  const { folder, backup, people, time, close, noah, eve } = await history()
  await people.setDisabled(ROOT, noah.session.account.id, true)
  await people.remove(ROOT, eve.session.account.id)
  await close()
  const { access } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(access.people).toEqual([
    { name: 'eve', differences: ['removed'] },
    { name: 'noah', differences: ['disabled'] },
  ])
  const { people: restored } = await openPeople({ folder, time })
  for (const name of ['noah', 'eve']) {
    const failing = signIn(restored, name, PASSWORD, AWAY)
    await expect(failing).rejects.toMatchObject(FAILED)
  }
  // What a removed person signed in with does not come back with the account.
  await restored.setDisabled(ROOT, eve.session.account.id, false)
  await expect(signIn(restored, 'eve', PASSWORD, AWAY)).rejects.toMatchObject(FAILED)
  await signIn(restored, 'mia')
})

/** Gives an account every way to sign in and every second factor, named after `of`. */
async function enrol({ store }: Opened, accountId: string, of: string) {
  const createdAt = '2026-01-01T00:00:00.000Z'
  const passkey = { accountId, name: of, publicKey: of, counter: 0, transports: [], createdAt }
  await store.transact(async (tx) => {
    for (const { id } of (await tx.state()).passkeys) await tx.deletePasskey(id)
    for (const { issuer, subject } of (await tx.state()).identities) {
      await tx.deleteIdentity(issuer, subject)
    }
    await tx.setTotp(accountId, { secret: of.toUpperCase(), lastStep: 1, createdAt })
    await tx.setRecoveryCodes(accountId, [`${of}-code`])
    await tx.insertPasskey({ ...passkey, id: of })
    await tx.insertIdentity({ issuer: 'https://id.example', subject: of, accountId, createdAt })
  })
}

test('people sign in after a restore as now, and not as at the time of the backup', async () => {
  const opened = await openPeople()
  const { folder, people, time, close } = opened
  const { session } = await setUp(people)
  const { id } = session.account
  await enrol(opened, id, 'old')
  const backup = await backUp(folder)
  await people.own.changePassword(session, { current: PASSWORD, next: OTHER_PASSWORD }, HOME)
  await enrol(opened, id, 'new')
  await people.setEmail(ROOT, id, { email: 'mia@example.com', seen: null })
  await close()
  const differences = ['password', 'second_factor', 'recovery_codes', 'passkeys', 'identities']
  const access = { people: [{ name: 'mia', differences: [...differences, 'email'] }], keys: [] }
  expect(compareCopy(backup, folder).access).toEqual(access)
  expect((await restoreDatabase(folder, backup, { actor: ACTOR })).access).toEqual(access)
  const { people: restored, store, audit } = await openPeople({ folder, time })
  await expect(signIn(restored, 'mia', PASSWORD)).rejects.toMatchObject(FAILED)
  expect(await restored.signIn({ name: 'mia', password: OTHER_PASSWORD }, HOME)).toMatchObject({
    kind: 'second_factor',
  })
  expect(await store.transact((tx) => tx.state())).toMatchObject({
    accounts: [{ email: 'mia@example.com' }],
    totps: [{ secret: 'NEW' }],
    recoveryCodes: [{ hash: 'new-code' }],
    passkeys: [{ id: 'new' }],
    identities: [{ subject: 'new' }],
  })
  expect((await audit())[0]).toMatchObject({ action: 'database.restored', after: { access } })
})

test('roles are the lower of now and of the backup, on the server and in apps', async () => {
  const folder = preparedFolder()
  addApps(folder, 'editor', 'viewer')
  const { people, time, close } = await openPeople({ folder, appRef: (key) => `app-${key}` })
  await setUp(people)
  const idOf = async (name: string) => (await join(people, name)).session.account.id
  const [lowered, raised, moved, closed] = [
    ...[await idOf('lowered'), await idOf('raised'), await idOf('moved'), await idOf('closed')],
  ] as const
  const set = (id: string, server: Role | null, apps: [number, Role][] = []) =>
    people.setAccess(ROOT, id, { server, apps: new Map(apps) })
  await set(String(lowered), 'administrator', [[1, 'viewer']])
  await set(String(moved), 'release_manager')
  await people.setDisabled(ROOT, String(closed), true)
  const backup = await backUp(folder)
  await set(String(lowered), 'viewer')
  await set(String(raised), 'administrator')
  await set(String(moved), null, [
    [1, 'administrator'],
    [2, 'viewer'],
  ])
  await people.setDisabled(ROOT, String(closed), false)
  await close()
  const { access } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(access.people).toEqual([
    { name: 'closed', differences: ['disabled'] },
    { name: 'lowered', differences: ['roles'] },
    { name: 'moved', differences: ['roles'] },
    { name: 'raised', differences: ['roles'] },
  ])
  const { people: restored } = await openPeople({ folder, time })
  const held = (name: string) => {
    const { server, apps } = named(restored.list(), name).access
    return [server, ...apps]
  }
  expect(held('mia')).toEqual(['administrator'])
  expect(held('lowered')).toEqual(['viewer'])
  expect(held('raised')).toEqual(['viewer'])
  expect(held('moved')).toEqual([null, [1, 'release_manager'], [2, 'viewer']])
  expect(named(restored.list(), 'closed').disabledAt).not.toBeNull()
})

test('the administrators of now stay if a restore would leave none', async () => {
  const { folder, people, time, close } = await openPeople()
  const mia = await setUp(people)
  const backup = await backUp(folder)
  await join(people, 'noah', 'administrator')
  await people.remove(ROOT, mia.session.account.id)
  const again = await join(people, 'Mia', 'administrator')
  await close()
  const differences = ['administrator']
  expect((await restoreDatabase(folder, backup, { actor: ACTOR })).access.people).toEqual([
    { name: 'Mia', differences },
    { name: 'noah', differences },
  ])
  const { people: restored } = await openPeople({ folder, time })
  expect(restored.list().map(({ id }) => id)).toContain(again.session.account.id)
  for (const name of ['mia', 'noah']) await signIn(restored, name)
})

const WITHOUT_DATA: Readonly<Record<string, (folder: string) => void>> = {
  'an empty folder': () => {},
  'a server that nobody has set up': (folder) => prepareDatabase(folder, { lockHeld: false }),
  'a damaged database': (folder) => writeFileSync(dataFile(folder), 'no database'),
}

test.each(Object.entries(WITHOUT_DATA))(
  'with %s, everyone is locked until enabled on the computer',
  async (_, prepare) => {
    const { folder: former, people, time, mia, eve } = await history()
    const session = await commandLineToken(people, mia.session)
    await people.setDisabled(ROOT, eve.session.account.id, true)
    const backup = await backUp(former)
    const folder = temporaryFolder()
    prepare(folder)
    const unknown = ['mia', 'noah'].map((name) => ({ name, differences: ['unknown'] }))
    expect(compareCopy(backup, folder).access.people).toEqual(unknown)
    const { access } = await restoreDatabase(folder, backup, { actor: ACTOR })
    expect(access.people).toEqual(unknown)
    const { people: restored } = await openPeople({ folder, time })
    expect(restored.find(mia.token)).toBeUndefined()
    expect(restored.find(session, 'command_line')).toBeUndefined()
    for (const name of ['mia', 'noah', 'eve']) {
      await expect(signIn(restored, name)).rejects.toMatchObject(FAILED)
    }
    await restored.setDisabled(ROOT, mia.session.account.id, false)
    expect((await signIn(restored, 'mia')).session.account.access.server).toBe('administrator')
  },
)

test('a backup from before there were accounts is restored', async () => {
  const { folder, close } = await history()
  const older = temporaryFolder()
  prepareDatabase(older, { lockHeld: false, migrations: MIGRATIONS.slice(0, 7) })
  const oldBackup = `${temporaryFolder()}/older.db`
  await backupDatabase(older, oldBackup)
  await close()
  expect(await restoreDatabase(folder, oldBackup, { actor: ACTOR })).toMatchObject({ version: 7 })
  prepareDatabase(folder, { lockHeld: false })
  const restored = await openPeople({ folder })
  expect(restored.people.hasAccounts()).toBe(false)
  expect(await restored.audit()).toMatchObject([{ action: 'database.restored', actor: ACTOR }])
})
