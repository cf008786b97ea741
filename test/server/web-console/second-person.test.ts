import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/shared/access/role.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { startBrowserConsole } from '../../support/servers/browser.ts'
import { publish, setPolicy } from '../../support/servers/calls.ts'
import {
  accept,
  firstAdministrator,
  type SignedInBrowser,
} from '../../support/servers/signed-in.ts'

const STABLE = { app: 'editor', channel: 'stable' }
const RELEASE = { ...STABLE, version: '1.0.0' }
const role = (server: Role | null) => ({ server, apps: [] })
const MANAGER = role('release_manager')
const READ = { scopes: ['read'], app: 'editor' }
const alone = (act: string) => ({ code: 'second_person_bypassed', act })

/** Ada administers; Ben and Noah may release, from before approval was required. */
async function startGuarded() {
  const server = await startBrowserConsole()
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  await server.updates.createApp(PRINCIPAL, { ref: 'player' })
  const ada = await firstAdministrator(server)
  const invite = async (name: string, access: unknown = MANAGER) =>
    await ada.call('api/people.invite', { name, access })
  const [ben, noah] = [await invite('Ben'), await invite('Noah')]
  await publish(server, '1.0.0', { rolloutPct: 10 })
  await setPolicy(server, { requireApproval: true })
  return {
    ...{ server, ada, invite },
    ben: await accept(server, ben.data.token),
    noah: await accept(server, noah.data.token),
    idOf: (name: string) => server.people.list().find((each) => each.name === name)?.id ?? '',
  }
}

async function propose(by: SignedInBrowser, rolloutPct = 100): Promise<string> {
  const change = { kind: 'serving', rolloutPct }
  const proposed = await by.call('api/changeRequests.propose', { ...RELEASE, change, comment: '' })
  expect(proposed.refusal).toBeUndefined()
  return proposed.data.id
}

const apply = (by: SignedInBrowser, id: string) =>
  by.call('api/changeRequests.applyChange', { id, comment: '' })

describe('one administrator cannot release alone where approval is required', () => {
  test('with a key that bypasses it', async () => {
    const { ada, server } = await startGuarded()
    const mint = (app: string | null) =>
      ada.call('api/keys.mint', { ...READ, name: `of ${app}`, app, bypassApproval: true })
    expect((await mint('editor')).refusal).toEqual(alone('bypass_key'))
    expect((await mint(null)).refusal).toEqual(alone('bypass_key'))
    expect((await mint('player')).status).toBe(200)
    const machine = { name: 'CI', app: 'editor', bypassApproval: true }
    expect((await server.updates.mintKey(PRINCIPAL, machine)).key.bypassApproval).toBe(true)
  })

  test('by weakening the policy, or by creating the channel or the app again', async () => {
    const { ada, server } = await startGuarded()
    await server.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
    await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
    const removals = [
      await ada.call('api/apps.remove', { ref: 'editor', confirmation: 'editor' }),
      await ada.call('api/channels.remove', { ...STABLE, confirmation: 'stable' }),
    ]
    for (const { refusal } of removals) expect(refusal).toEqual(alone('removal'))
    await ada.call('api/apps.setArchived', { ref: 'editor', archived: false })
    const set = (policy: object) => ada.call('api/channels.setPolicy', { ...STABLE, policy })
    const testers = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
    for (const change of [
      { requireApproval: false },
      { manualChecks: true },
      { earlyAccess: { deviceIds: ['one'], targets: [] } },
      { earlyAccess: { deviceIds: [], targets: [testers] } },
    ]) {
      expect((await set(change)).refusal).toEqual(alone('policy'))
    }
    expect((await set({ updateMode: 'required' })).refusal).toBeUndefined()
  })

  test('by a second administrator of their own', async () => {
    const { ada, invite, idOf } = await startGuarded()
    expect((await invite('Puppet', role('administrator'))).refusal).toEqual(alone('administrator'))
    const inEditor = { server: null, apps: [{ app: 'editor', role: 'administrator' }] }
    expect((await invite('Puppet', inEditor)).refusal).toEqual(alone('administrator'))
    const raised = { id: idOf('Ben'), access: role('administrator'), seen: MANAGER }
    expect((await ada.call('api/people.setAccess', raised)).refusal).toEqual(alone('administrator'))
    const inPlayer = { server: null, apps: [{ app: 'player', role: 'administrator' }] }
    expect((await invite('Mia', inPlayer)).status).toBe(200)
  })

  test('with an account that they invited, as proposer or as approver', async () => {
    const { ada, ben, server, invite, idOf } = await startGuarded()
    const id = await propose(ada)
    const { data } = await invite('Puppet')
    const puppet = await accept(server, data.token)
    expect((await puppet.call('api/changeRequests.get', { id })).data.mayDecide).toBe(false)
    expect((await apply(puppet, id)).refusal).toEqual({ code: 'independent_person_needed' })
    const puppets = await propose(puppet, 90)
    expect((await apply(ada, puppets)).refusal).toEqual({ code: 'independent_person_needed' })
    const second = await accept(server, (await invite('Another')).data.token)
    expect((await apply(second, puppets)).refusal).toEqual({ code: 'independent_person_needed' })
    // Not even when the account is gone.
    await ada.call('api/people.remove', { id: idOf('Puppet'), confirmation: 'Puppet' })
    expect((await apply(ada, puppets)).refusal).toEqual({ code: 'independent_person_needed' })
    expect((await apply(ben, id)).refusal).toBeUndefined()
  })

  test('with an account that they raised, or whose password they reset', async () => {
    const { ada, server, invite, idOf } = await startGuarded()
    const { data } = await invite('Mia', role('viewer'))
    const mia = await accept(server, data.token)
    const raised = { id: idOf('Mia'), access: MANAGER, seen: role('viewer') }
    await ada.call('api/people.setAccess', raised)
    const id = await propose(ada)
    expect((await apply(mia, id)).refusal).toEqual({ code: 'independent_person_needed' })
    const link = await ada.call('api/people.createLink', { id: idOf('Noah') })
    expect(link.refusal).toBeUndefined()
    const taken = await accept(server, link.data.token)
    expect((await apply(taken, id)).refusal).toEqual({ code: 'independent_person_needed' })
    // A link of the server's own computer makes the account count again.
    const fresh = await server.updates.createPersonLink(PRINCIPAL, idOf('Noah'))
    expect((await apply(await accept(server, fresh.token), id)).refusal).toBeUndefined()
  })
})

test('nobody restores a backup over the network while approval is required', async () => {
  const { ada } = await startGuarded()
  const source = { kind: 'uploaded', id: 'none' }
  const restored = await ada.call('api/backups.restore', { source, confirmation: 'restore' })
  expect(restored.refusal).toEqual(alone('restore'))
})

test('people who were there before approval was required approve each other', async () => {
  const { ben, noah } = await startGuarded()
  const id = await propose(ben)
  expect((await apply(noah, id)).refusal).toBeUndefined()
})
