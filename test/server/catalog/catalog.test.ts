import { expect, test, vi } from 'vitest'
import { createApp, createChannel } from '../../../src/server/catalog/apps.ts'
import { requireApp, requireChannel } from '../../../src/server/catalog/catalog.ts'
import { changeServing } from '../../../src/server/catalog/releases/serving.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { preparedFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import {
  OTHER_POLICY,
  openCatalog,
  openTwo,
  publishOn,
  releaseOf,
  stableOf,
} from '../../support/servers/catalog.ts'

test('a change is in the snapshot when it is answered', async () => {
  const { here } = await openTwo()
  const before = here.snapshot
  await publishOn(here, '1.0.0')
  expect(releaseOf(here, '1.0.0')).toMatchObject({ version: '1.0.0', offered: false })
  expect(here.snapshot.revision).toBeGreaterThan(before.revision)
  expect(before.appByName.get('editor')?.channels.get('stable')?.compiled.releases).toEqual([])
})

test('a refresh loads the commits of another process, and reads nothing without commits', async () => {
  const { here, there } = await openTwo()
  await publishOn(there, '1.0.0', { rolloutPct: 10 })
  expect(releaseOf(here, '1.0.0')).toBeUndefined()
  await here.refresh()
  expect(releaseOf(here, '1.0.0')).toMatchObject({ rolloutPct: 10 })
  const { snapshot } = here
  expect(await here.refresh()).toBe(snapshot)

  await changeServing(there, ACTOR, stableOf(there), '1.0.0', { rolloutPct: 20 })
  await createApp(there, ACTOR, { ref: 'player' })
  await here.refresh()
  expect(releaseOf(here, '1.0.0')).toMatchObject({ rolloutPct: 20 })
  expect(here.snapshot.appByName.has('player')).toBe(true)
})

test('callers that come while a refresh runs share one that starts after it', async () => {
  const { here, there } = await openTwo()
  const { store } = here
  const read = store.changesSince.bind(store)
  const held = Promise.withResolvers<void>()
  const reads = vi.spyOn(store, 'changesSince').mockImplementationOnce(async (revision) => {
    const changes = await read(revision)
    await held.promise
    return changes
  })
  const first = here.refresh()
  await publishOn(there, '1.0.0')
  const later = Array.from({ length: 100 }, () => here.refresh())
  held.resolve()
  await first
  expect(releaseOf(here, '1.0.0')).toBeUndefined()
  const [snapshot, ...others] = await Promise.all(later)
  expect(new Set(others)).toEqual(new Set([snapshot]))
  expect(releaseOf(here, '1.0.0')).toBeDefined()
  expect(reads).toHaveBeenCalledTimes(2)
})

test('a refresh fails for all that share it, and the next one reads again', async () => {
  const { here, there } = await openTwo()
  await publishOn(there, '1.0.0')
  vi.spyOn(here.store, 'changesSince').mockRejectedValueOnce(new Error('on purpose'))
  const [failing, next] = [here.refresh(), here.refresh()]
  await expect(failing).rejects.toThrow('on purpose')
  await next
  expect(releaseOf(here, '1.0.0')).toBeDefined()
  await here.refresh()
})

test('a watching catalog sees changes of another process within a second, until it stops', async () => {
  const { here, there } = await openTwo()
  here.watch()
  await publishOn(there, '1.0.0')
  await eventually(() => expect(releaseOf(here, '1.0.0')).toBeDefined())
  here.stop()
  await publishOn(there, '2.0.0')
  await publishOn(here, '3.0.0')
  expect(releaseOf(here, '2.0.0')).toBeDefined()
})

test('a change without effect keeps the snapshot', async () => {
  const { here } = await openTwo()
  const { snapshot } = here
  expect(await here.change((tx) => tx.apps())).toMatchObject([{ ref: 'editor' }])
  expect(here.snapshot).toBe(snapshot)
})

test('channels that did not change keep their compiled releases', async () => {
  const { here } = await openTwo()
  await createChannel(here, ACTOR, { app: 'editor', name: 'beta' })
  const one = await publishOn(here, '1.0.0')
  const { compiled } = stableOf(here)
  await createChannel(here, ACTOR, { app: 'editor', name: 'nightly' })
  expect(stableOf(here).compiled).toBe(compiled)
  await publishOn(here, '2.0.0')
  expect(stableOf(here).compiled).not.toBe(compiled)
  expect(stableOf(here).compiled.releases[0]).toBe(compiled.releases[0])
  expect(compiled.releases[0]?.facts).toEqual(one)
})

test('changes of two processes at once are all kept and both see them', async () => {
  const { here, there } = await openTwo()
  const versions = Array.from({ length: 20 }, (_, index) => `1.0.${index}`)
  await Promise.all(
    versions.map((version, index) => publishOn(index % 2 === 0 ? here : there, version)),
  )
  for (const catalog of [here, there]) {
    await catalog.refresh()
    const seen = stableOf(catalog).compiled.releases.map(({ facts }) => facts.version)
    expect(seen).toEqual(versions)
  }
})

test('a failed watch is reported and keeps the last snapshot', async () => {
  const failures: unknown[] = []
  const { catalog, store } = await openCatalog(preparedFolder(), (error) => failures.push(error))
  await createApp(catalog, ACTOR, { ref: 'editor' })
  catalog.watch()
  store.close()
  await eventually(() => expect(failures).not.toEqual([]))
  expect(failures[0]).toMatchObject({ name: 'StorageError', code: 'closed' })
  expect(catalog.snapshot.appByName.has('editor')).toBe(true)
})

test('a failed change is undone completely', async () => {
  const { here, there } = await openTwo()
  const { revision } = here.snapshot
  const attempt = here.change(async (tx) => {
    const [stable] = await tx.channels()
    await tx.setPolicy(stable?.key ?? 0, OTHER_POLICY)
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  for (const catalog of [here, there]) {
    await catalog.refresh()
    expect(catalog.snapshot.revision).toBe(revision)
    expect(stableOf(catalog).record.policy.updateMode).toBe('optional')
  }
})

test('an app is found by ref and by ID, and unknown names are rejected', async () => {
  const { here } = await openTwo()
  const app = requireApp(here.snapshot, 'editor')
  expect(requireApp(here.snapshot, app.record.id)).toBe(app)
  for (const name of ['viewer', 'Editor', '', 'constructor', '__proto__']) {
    expect(() => requireApp(here.snapshot, name)).toThrow(
      expect.objectContaining({ facts: { code: 'unknown_app', app: name } }),
    )
  }
  expect(() => requireChannel(app, 'beta')).toThrow(
    expect.objectContaining({ facts: { code: 'unknown_channel', app: 'editor', channel: 'beta' } }),
  )
})
