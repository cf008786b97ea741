import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/shared/access/role.ts'
import { preparedFolder } from '../../support/builders/folders.ts'
import {
  access,
  acting,
  join,
  named,
  openPeople,
  ROOT,
  setUp,
  signIn,
} from '../../support/builders/people.ts'
import { addApps } from '../../support/servers/database.ts'

const LAST = { facts: { code: 'last_administrator', name: 'mia' } }

describe('the last administrator', () => {
  test('can be neither disabled nor demoted nor removed, not even on the server itself', async () => {
    const { people } = await openPeople()
    const { id } = (await setUp(people)).session.account
    // Neither a viewer, nor a disabled administrator, nor one who never came counts.
    await join(people, 'noah', 'viewer')
    const lea = await join(people, 'lea', 'administrator')
    await people.setDisabled(ROOT, lea.session.account.id, true)
    await people.invite(ROOT, { name: 'eve', access: access('administrator') })
    for (const role of ['viewer', 'release_manager', null] as (Role | null)[]) {
      await expect(people.setAccess(ROOT, id, access(role))).rejects.toMatchObject(LAST)
    }
    await expect(people.setDisabled(ROOT, id, true)).rejects.toMatchObject(LAST)
    await expect(people.remove(ROOT, id)).rejects.toMatchObject(LAST)

    await people.setDisabled(ROOT, lea.session.account.id, false)
    expect(await people.setAccess(ROOT, id, access('viewer'))).toMatchObject({
      access: { server: 'viewer' },
    })
  })

  test('of two who remove each other at once, one stays', async () => {
    const { people } = await openPeople()
    const [one, two] = [await setUp(people), await join(people, 'lea', 'administrator')]
    const both = await Promise.allSettled([
      people.remove(acting(one.session), two.session.account.id),
      people.remove(acting(two.session), one.session.account.id),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(people.list()).toHaveLength(1)
  })
})

describe('administration', () => {
  test('nobody changes their own access', async () => {
    const { people } = await openPeople()
    const { session } = await setUp(people)
    await join(people, 'lea', 'administrator')
    const own = { facts: { code: 'own_access' } }
    const { id } = session.account
    const me = acting(session)
    await expect(people.setAccess(me, id, access('viewer'))).rejects.toMatchObject(own)
    await expect(people.setDisabled(me, id, true)).rejects.toMatchObject(own)
    await expect(people.remove(me, id)).rejects.toMatchObject(own)
  })

  test('a disabled account has no session and cannot sign in; an enabled one can again', async () => {
    const { people } = await openPeople()
    await setUp(people)
    const { token, session } = await join(people, 'noah')
    await people.setDisabled(ROOT, session.account.id, true)
    expect(people.find(token)).toBeUndefined()
    await expect(signIn(people, 'noah')).rejects.toMatchObject({
      facts: { code: 'sign_in_failed' },
    })
    await people.setDisabled(ROOT, session.account.id, false)
    expect(people.find(token)).toBeUndefined()
    await signIn(people, 'noah')
  })

  test('a removed account is gone with its sessions, and its name is free', async () => {
    const { people, audit } = await openPeople()
    await setUp(people)
    const { token, session } = await join(people, 'noah')
    await people.remove(ROOT, session.account.id)
    expect(people.find(token)).toBeUndefined()
    const missing = { facts: { code: 'unknown_person', person: session.account.id } }
    expect(() => people.sessionsOf(session.account.id)).toThrow('unknown_person')
    await expect(people.remove(ROOT, session.account.id)).rejects.toMatchObject(missing)
    const [entry] = await audit()
    expect(entry).toMatchObject({ action: 'person.removed', before: { name: 'noah' }, after: null })
    await join(people, 'noah')
  })

  test('roles in apps are given, shown by ref in the log, and taken away', async () => {
    const folder = preparedFolder()
    addApps(folder, 'editor')
    const appRef = (key: number) => (key === 1 ? 'editor' : undefined)
    const { people, audit } = await openPeople({ folder, appRef })
    await setUp(people)
    const { session, token } = await join(people, 'noah', null)
    const { id } = session.account
    const apps = new Map([[1, 'release_manager' as const]])
    await people.setAccess(ROOT, id, { server: 'viewer', apps })
    expect(people.find(token)?.account.access).toEqual({ server: 'viewer', apps })
    expect((await audit())[0]).toMatchObject({
      action: 'person.role_changed',
      before: { name: 'noah', serverRole: null, appRoles: [] },
      after: { serverRole: 'viewer', appRoles: [{ app: 'editor', role: 'release_manager' }] },
    })
    const before = (await audit()).length
    await people.setAccess(ROOT, id, { server: 'viewer', apps })
    expect(await audit()).toHaveLength(before)
    const unknown = { server: null, apps: new Map([[9, 'viewer' as const]]) }
    await expect(people.setAccess(ROOT, id, unknown)).rejects.toMatchObject({
      facts: { code: 'unknown_app' },
    })
    await people.setAccess(ROOT, id, access())
    expect(named(people.list(), 'noah').access).toEqual(access())
  })

  test('another invitation voids the first one', async () => {
    const { people } = await openPeople()
    await setUp(people)
    const first = await people.invite(ROOT, { name: 'noah', access: access('viewer') })
    const second = await people.createResetLink(ROOT, first.account.id)
    expect(people.lookUpLink(first.token)).toBeUndefined()
    expect(people.lookUpLink(second.token)).toMatchObject({ kind: 'invitation', name: 'noah' })
  })
})
