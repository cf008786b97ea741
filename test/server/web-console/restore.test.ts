import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { named, OTHER_PASSWORD, ROOT } from '../../support/builders/people.ts'
import { eventually } from '../../support/eventually.ts'
import { call, PASSWORD } from '../../support/servers/browser.ts'
import { rememberCode } from '../../support/servers/console-codes.ts'
import { type RestorableConsole, startRestorable } from '../../support/servers/restorable.ts'

const refs = async ({ ask }: RestorableConsole): Promise<string[]> =>
  (await ask('apps.list')).map(({ ref }: { ref: string }) => ref).toSorted()

const createApp = ({ ask }: RestorableConsole, ref: string) =>
  ask('apps.create', { ref, name: ref })

const restorePoint = async (console: RestorableConsole) => {
  await createApp(console, 'old')
  const copy = await console.ask('backups.now')
  await createApp(console, 'new')
  return copy
}

const uploads = ({ folder }: RestorableConsole) =>
  readdirSync(folder).filter((name) => /upload|staged|restoring/.test(name))

test('an uploaded backup is inspected and restored, and the replaced data is kept', async () => {
  const console = await startRestorable()
  const { file, name } = await restorePoint(console)
  const { status, body } = await console.upload(readFileSync(file), name)
  expect([status, body.bytes]).toEqual([200, readFileSync(file).length])
  const source = { kind: 'uploaded', id: body.id }
  expect(await console.ask('backups.inspect', source)).toMatchObject({
    ok: true,
    copy: { file: name, counts: { apps: 1 } },
    present: { apps: 2 },
  })
  const before = console.server()
  const begun = await console.ask('backups.restore', { source, confirmation: 'restore' })
  expect(begun).toEqual({ ok: true })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: true }]))
  expect(console.server()).not.toBe(before)
  expect(console.server().address).toBe(before.address)

  // Every session has ended, and the account is that of the backup.
  await expect(console.ask('apps.list')).rejects.toMatchObject({ code: 'unauthenticated' })
  await console.signIn()
  expect(await refs(console)).toEqual(['old'])
  const { available, last } = await console.ask('backups.restoreStatus')
  expect({ available, last }).toMatchObject({
    available: true,
    last: { by: 'Ada', outcome: { ok: true, aside: expect.stringContaining('before-restore') } },
  })
  const replaced = new Database(last.outcome.aside, { readonly: true })
  expect(replaced.prepare('SELECT ref FROM apps ORDER BY key').pluck().all()).toEqual([
    'old',
    'new',
  ])
  replaced.close()
  expect(uploads(console)).toEqual([])
  const { entries } = await console.ask('audit.list', { actionGroup: 'database' })
  expect(entries[0]).toMatchObject({
    action: 'database.restored',
    actor: { kind: 'person', name: 'Ada', address: '127.0.0.1' },
  })
})

test('a backup of the list is restored by its name', async () => {
  const console = await startRestorable()
  const { name } = await restorePoint(console)
  const source = { kind: 'listed', name }
  expect(await console.ask('backups.inspect', source)).toMatchObject({ ok: true })
  await expect(
    console.ask('backups.restore', { source, confirmation: 'yes' }),
  ).rejects.toMatchObject({ refusal: { code: 'unconfirmed' } })
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: true }]))
  await console.signIn()
  expect(await refs(console)).toEqual(['old'])
})

test('a damaged backup is refused with the reason, and the server goes on', async () => {
  const console = await startRestorable()
  const { file, name } = await restorePoint(console)
  truncateSync(file, 20_000)
  const { body } = await console.upload(readFileSync(file))
  for (const source of [
    { kind: 'uploaded', id: body.id },
    { kind: 'listed', name },
  ]) {
    const shown = source.kind === 'uploaded' ? 'mine.db' : file
    const refused = { ok: false, problem: { code: 'corrupt', file: shown } }
    expect(await console.ask('backups.inspect', source)).toMatchObject(refused)
    expect(await console.ask('backups.restore', { source, confirmation: 'restore' })).toMatchObject(
      refused,
    )
  }
  const missing = { kind: 'listed', name: '../tidegate.db' }
  expect(await console.ask('backups.inspect', missing)).toMatchObject({
    ok: false,
    problem: { code: 'missing' },
  })
  expect(await refs(console)).toEqual(['new', 'old'])
  expect(console.outcomes).toEqual([])
  await console.ask('backups.discardUpload', { id: body.id })
  expect(uploads(console)).toEqual([])
})

test('the previous data is served if the server does not start with the backup', async () => {
  const console = await startRestorable()
  const { file } = await restorePoint(console)
  // As if of an earlier version, whose migration then fails.
  const damaged = new Database(file)
  damaged.pragma('user_version = 7')
  damaged.close()
  const { body } = await console.upload(readFileSync(file))
  const source = { kind: 'uploaded', id: body.id }
  expect(await console.ask('backups.inspect', source)).toMatchObject({ ok: true })
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: false }]))
  // Nothing was restored, so nobody was signed out.
  expect(await refs(console)).toEqual(['new', 'old'])
  const { last } = await console.ask('backups.restoreStatus')
  expect(last.outcome).toMatchObject({ ok: false, problem: { code: 'migration_failed' } })
})

test('the previous data is served if the folder is taken while the server stops', async () => {
  const console = await startRestorable()
  const { name } = await restorePoint(console)
  const source = { kind: 'listed', name }
  // Somebody reads the database with another program.
  const reader = new Database(join(console.folder, 'tidegate.db'))
  reader.exec('BEGIN; SELECT * FROM apps')
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: false }]))
  reader.close()
  expect(await refs(console)).toEqual(['new', 'old'])
  expect(uploads(console)).toEqual([])
  // The next one is not kept from it; the server that started anew asks for another confirmation.
  await console.ask('session.confirm', { password: PASSWORD })
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: false }, { ok: true }]))
})

test('a second restore is refused while one is under way', async () => {
  const console = await startRestorable()
  const { name } = await restorePoint(console)
  const restore = () =>
    console.ask('backups.restore', { source: { kind: 'listed', name }, confirmation: 'restore' })
  const [one, other] = await Promise.allSettled([restore(), restore()])
  expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = one.status === 'rejected' ? one : other
  expect(refused).toMatchObject({ reason: { refusal: { code: 'restore_busy' } } })
  await eventually(() => expect(console.outcomes).toHaveLength(1))
})

test('a restore revives no access that was taken since the backup, and the preview names it', async () => {
  const console = await startRestorable()
  const { people } = console.server()
  const join = async (name: string) => {
    const access = { server: 'administrator', apps: new Map() } as const
    const { token } = await people.invite(ROOT, { name, access })
    await call(console.address, 'account/acceptLink', { token, password: PASSWORD })
  }
  for (const name of ['Bob', 'Cleo']) await join(name)
  const leaked = await console.ask('keys.mint', {
    ...{ name: 'leaked', scopes: ['read'], app: null, bypassApproval: false },
  })
  const { name } = await console.ask('backups.now')
  const idOf = (of: string) => named(people.list(), of).id
  await people.setAccess(ROOT, idOf('Bob'), { server: 'viewer', apps: new Map() })
  const { token } = await people.createResetLink(ROOT, idOf('Bob'))
  await call(console.address, 'account/acceptLink', { token, password: OTHER_PASSWORD })
  await people.remove(ROOT, idOf('Cleo'))
  await join('Dan')
  await console.ask('keys.revoke', { prefix: leaked.key.prefix })

  const access = {
    people: [
      { name: 'Bob', differences: ['roles', 'password'] },
      { name: 'Cleo', differences: ['removed'] },
      { name: 'Dan', differences: ['added'] },
    ],
    keys: [{ name: 'leaked', prefix: leaked.key.prefix, difference: 'revoked' }],
  }
  const source = { kind: 'listed', name }
  expect(await console.ask('backups.inspect', source)).toMatchObject({ ok: true, access })
  await console.ask('backups.restore', { source, confirmation: 'restore' })
  await eventually(() => expect(console.outcomes).toMatchObject([{ ok: true, access }]))
  rememberCode(console.server())
  const signIn = async (of: string, password: string) =>
    (await call(console.address, 'account/signIn', { name: of, password })).status
  expect(await signIn('Bob', PASSWORD)).toBe(401)
  expect(await signIn('Cleo', PASSWORD)).toBe(401)
  expect(await signIn('Dan', PASSWORD)).toBe(401)
  expect(await signIn('Bob', OTHER_PASSWORD)).toBe(200)
  const restored = console.server().people
  expect(named(restored.list(), 'Bob').access.server).toBe('viewer')
  const headers = { authorization: `Bearer ${leaked.secret}` }
  expect((await fetch(`${console.address}/api/v1/releases`, { headers })).status).toBe(401)
  await console.signIn()
  const { last } = await console.ask('backups.restoreStatus')
  expect(last.outcome).toMatchObject({ access })
})
