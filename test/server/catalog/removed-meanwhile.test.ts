import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp, createChannel, renameApp } from '../../../src/server/catalog/apps.ts'
import type { Catalog } from '../../../src/server/catalog/catalog.ts'
import { setChannelPolicy } from '../../../src/server/catalog/channel-policy.ts'
import { mintKey, revokeKey } from '../../../src/server/catalog/keys.ts'
import { changeServing } from '../../../src/server/catalog/releases/serving.ts'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { remove } from '../../../src/server/storage/sqlite/fleet/database/catalog-removal.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { preparedFolder } from '../../support/builders/folders.ts'
import { openCatalog, publishOn, stableOf } from '../../support/servers/catalog.ts'

/** The app `editor` with two channels, a rolled-back release and a key. */
async function catalogWithEditor() {
  const folder = preparedFolder()
  const { catalog, store } = await openCatalog(folder)
  await createApp(catalog, ACTOR, { ref: 'editor' })
  await createChannel(catalog, ACTOR, { app: 'editor', name: 'beta' })
  await publishOn(catalog, '1.0.0')
  await changeServing(catalog, ACTOR, stableOf(catalog), '1.0.0', { status: 'rolled_back' })
  const { key } = await mintKey(catalog, ACTOR, { name: 'ci', app: 'editor' })
  const database = openDatabase(dataFile(folder))
  onTestFinished(() => {
    database.close()
  })
  /** Removes `stable` or all of `editor`, after the next change was decided on and before it begins. */
  const removeMeanwhile = (wholeApp: boolean) => {
    const { app, record } = stableOf(catalog)
    const channels = wholeApp ? [...catalog.snapshot.channelByKey.keys()] : [record.key]
    const transact = store.transact.bind(store)
    vi.spyOn(store, 'transact').mockImplementationOnce((work, options) => {
      const entry = {
        ...{ at: catalog.timestamp(), actor: ACTOR, action: 'app.removed', before: null },
        ...{ app: app.ref, channel: null, version: null, after: null },
      }
      const removal = { appKey: app.key, channelKeys: channels, wholeApp, entry }
      expect(remove(database, removal, new Int32Array())).toBe('removed')
      return transact(work, options)
    })
  }
  return { catalog, prefix: key.prefix, removeMeanwhile }
}

describe('a change treats what is being removed as unknown', () => {
  const ofChannel: Record<string, (catalog: Catalog) => Promise<unknown>> = {
    publishing: (catalog) => publishOn(catalog, '2.0.0'),
    'a serving change': (catalog) =>
      changeServing(catalog, ACTOR, stableOf(catalog), '1.0.0', { rolloutPct: 100 }),
    'a policy': (catalog) => {
      const change = { updateMode: 'required' } as const
      return setChannelPolicy(catalog, ACTOR, { app: 'editor', channel: 'stable', change })
    },
  }
  const ofApp: Record<string, (catalog: Catalog) => Promise<unknown>> = {
    ...ofChannel,
    'a channel': (catalog) => createChannel(catalog, ACTOR, { app: 'editor', name: 'nightly' }),
    'a key': (catalog) => mintKey(catalog, ACTOR, { name: 'bound', app: 'editor' }),
    'a name': (catalog) => renameApp(catalog, ACTOR, stableOf(catalog).app, 'Other'),
  }

  for (const [what, change] of Object.entries(ofChannel)) {
    test(`${what}, where the channel goes`, async () => {
      const { catalog, removeMeanwhile } = await catalogWithEditor()
      removeMeanwhile(false)
      const facts = { code: 'unknown_channel', app: 'editor', channel: 'stable' }
      await expect(change(catalog)).rejects.toMatchObject({ facts })
    })
  }

  for (const [what, change] of Object.entries(ofApp)) {
    test(`${what}, where the app goes`, async () => {
      const { catalog, removeMeanwhile } = await catalogWithEditor()
      removeMeanwhile(true)
      const facts = { code: 'unknown_app', app: 'editor' }
      await expect(change(catalog)).rejects.toMatchObject({ facts })
    })
  }

  test('a key that goes with its app', async () => {
    const { catalog, prefix, removeMeanwhile } = await catalogWithEditor()
    removeMeanwhile(true)
    const facts = { code: 'unknown_key', prefix }
    await expect(revokeKey(catalog, ACTOR, prefix)).rejects.toMatchObject({ facts })
  })
})
