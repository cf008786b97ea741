import { expect, test } from 'vitest'
import { createApp, createChannel, renameApp } from '../../../src/server/catalog/apps.ts'
import { setChannelPolicy } from '../../../src/server/catalog/channel-policy.ts'
import { mintKey } from '../../../src/server/catalog/keys.ts'
import { AppRef, ChannelName } from '../../../src/shared/names.ts'
import { DEFAULT_POLICY } from '../../../src/shared/releases/channel.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { openTwo, stableOf } from '../../support/servers/catalog.ts'

test('a new app has an id, its ref, a name and the channel stable with the default policy', async () => {
  const { here } = await openTwo()
  const app = await createApp(here, ACTOR, { ref: 'player', name: 'The Player' })
  expect(app).toMatchObject({ ref: 'player', name: 'The Player' })
  expect(app.id).toMatch(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/)
  const known = here.snapshot.appByName.get('player')
  expect([...(known?.channels.keys() ?? [])]).toEqual(['stable'])
  expect(known?.channels.get('stable')?.record.policy).toEqual({
    updateMode: 'optional',
    minimumSupportedVersion: '0.0.0',
    rollback: 'downgrade',
    requireApproval: false,
    proving: 'off',
    uncheckedSignatures: [],
    earlyAccess: { deviceIds: [], targets: [] },
    manualChecks: false,
    countNewDevices: false,
    preflight: 'off',
    acceptedFindings: [],
  })
  expect(await createApp(here, ACTOR, { ref: 'viewer' })).toMatchObject({ name: 'viewer' })
})

test('a name for people is trimmed, and at most 128 characters on one line, of apps and keys', async () => {
  const { here } = await openTwo()
  const longest = 'x'.repeat(128)
  const app = await createApp(here, ACTOR, { ref: 'player', name: ` ${longest} ` })
  expect(app.name).toBe(longest)
  expect((await mintKey(here, ACTOR, { name: ' ci ' })).key.name).toBe('ci')
  for (const name of ['', ' ', `${longest}x`, 'two\nlines', 'a\u0000b']) {
    const expected = { facts: { code: 'invalid_input', path: ['name'] } }
    await expect(createApp(here, ACTOR, { ref: 'viewer', name })).rejects.toMatchObject(expected)
    await expect(renameApp(here, ACTOR, app, name)).rejects.toMatchObject(expected)
    await expect(mintKey(here, ACTOR, { name })).rejects.toMatchObject(expected)
  }
  expect(here.snapshot.appByName.has('viewer')).toBe(false)
  expect(here.snapshot.appByName.get('player')?.record.name).toBe(longest)
})

test('a ref is unique, and a channel within its app, whichever process made them', async () => {
  const { here, there } = await openTwo()
  await createChannel(there, ACTOR, { app: 'editor', name: 'beta' })
  const duplicate = { name: 'Refusal', kind: 'duplicate' }
  await expect(createApp(there, ACTOR, { ref: 'editor' })).rejects.toMatchObject({
    ...duplicate,
    facts: { code: 'app_exists', app: 'editor' },
  })
  await expect(createChannel(here, ACTOR, { app: 'editor', name: 'beta' })).rejects.toMatchObject({
    ...duplicate,
    facts: { code: 'channel_exists', app: 'editor', channel: 'beta' },
  })
  await createApp(here, ACTOR, { ref: 'player' })
  await createChannel(here, ACTOR, { app: 'player', name: 'beta' })
  await expect(createChannel(here, ACTOR, { app: 'viewer', name: 'a' })).rejects.toMatchObject({
    facts: { code: 'unknown_app', app: 'viewer' },
  })
})

test('names are slugs of at most 63 characters, and channels may have dots and underscores', () => {
  const longest = 'a'.repeat(63)
  for (const name of ['a', '7', 'my-app', 'a-', longest]) {
    expect(AppRef.safeParse(name).success).toBe(true)
    expect(ChannelName.safeParse(name).success).toBe(true)
  }
  for (const name of ['', '-a', 'A', 'my app', 'ä', 'a/b', `${longest}a`, 'a\n']) {
    expect(AppRef.safeParse(name).success).toBe(false)
    expect(ChannelName.safeParse(name).success).toBe(false)
  }
  for (const name of ['1.x', 'beta_2', 'a.b-c_d']) {
    expect(AppRef.safeParse(name).success).toBe(false)
    expect(ChannelName.safeParse(name).success).toBe(true)
  }
  for (const name of ['.a', '_a']) expect(ChannelName.safeParse(name).success).toBe(false)
})

test('a policy change keeps omitted members and is audited; an empty change writes nothing', async () => {
  const { here, there } = await openTwo()
  const place = { app: 'editor', channel: 'stable' }
  await setChannelPolicy(there, ACTOR, { ...place, change: { rollback: 'roll-forward' } })
  const { policy } = await setChannelPolicy(here, ACTOR, {
    ...place,
    change: { minimumSupportedVersion: '2.0.0' },
  })
  const rolling = { ...DEFAULT_POLICY, rollback: 'roll-forward' }
  expect(policy).toEqual({ ...rolling, minimumSupportedVersion: '2.0.0' })
  expect(stableOf(here).record.policy).toEqual(policy)
  expect(stableOf(here).compiled.policy).toEqual(policy)

  const { revision } = here.snapshot
  await setChannelPolicy(here, ACTOR, { ...place, change: { rollback: 'roll-forward' } })
  expect(here.snapshot.revision).toBe(revision)
  expect(await here.store.audit({ limit: 2 })).toMatchObject([
    {
      ...{ ...place, version: null, action: 'channel.policy_changed', actor: ACTOR },
      ...{ before: rolling, after: policy },
    },
    { before: DEFAULT_POLICY, after: rolling },
  ])
  for (const missing of [
    { ...place, app: 'viewer' },
    { ...place, channel: 'beta' },
  ]) {
    const change = setChannelPolicy(here, ACTOR, { ...missing, change: {} })
    await expect(change).rejects.toMatchObject({ kind: 'unknown' })
  }
})
