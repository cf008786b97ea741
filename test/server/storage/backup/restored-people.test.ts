import { expect, test } from 'vitest'
import { backupDatabase } from '../../../../src/server/storage/backup/backup.ts'
import { restoreDatabase } from '../../../../src/server/storage/backup/restore.ts'
import { MIGRATIONS } from '../../../../src/server/storage/migrations/index.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import {
  AWAY,
  HOME,
  join,
  named,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
} from '../../../support/builders/people.ts'

/** A server with three people, and a backup of it. */
async function history() {
  const folder = preparedFolder()
  const { people, time, close } = await openPeople({ folder })
  const mia = await setUp(people)
  const noah = await join(people, 'noah', 'viewer', AWAY)
  const eve = await join(people, 'eve')
  const link = await people.createResetLink(ROOT, noah.session.account.id)
  const backup = `${temporaryFolder()}/backup.db`
  await backupDatabase(folder, backup)
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
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const { people: restored } = await openPeople({ folder, time })
  for (const name of ['noah', 'eve']) {
    const failing = signIn(restored, name, PASSWORD, AWAY)
    await expect(failing).rejects.toMatchObject({ facts: { code: 'sign_in_failed' } })
  }
  await signIn(restored, 'mia')
})

test('on another computer, all accounts of the backup can sign in', async () => {
  const { backup, time } = await history()
  const folder = preparedFolder()
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const { people } = await openPeople({ folder, time })
  for (const name of ['mia', 'noah', 'eve']) await signIn(people, name)
  expect(named(people.list(), 'mia').access.server).toBe('administrator')
})

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
