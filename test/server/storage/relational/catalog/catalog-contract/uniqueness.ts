import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CatalogWrites, DuplicateError } from '../../../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../../../src/shared/releases/channel.ts'
import { EVERY_DEVICE } from '../../../../../../src/shared/releases/targets.ts'
import {
  AT,
  artifact,
  type CatalogSubject,
  newApp,
  newChannel,
  newKey,
  newRelease,
} from './subject.ts'

const FIRST_ID = '0195f3a0-0000-7000-8000-000000000001'

/** What there is once, and what must be there. */
export function uniquenessContract(catalog: CatalogSubject): void {
  describe('uniqueness', () => {
    const refused: Record<string, (tx: CatalogWrites) => Promise<unknown>> = {
      'the ref of an app': (tx) => tx.insertApp(newApp('editor')),
      'the id of an app': (tx) => tx.insertApp({ ...newApp('other'), id: catalog.app.id }),
      'the name of a channel in its app': (tx) =>
        tx.insertChannel(newChannel(catalog.app, 'stable')),
      'the version of a release in its channel': (tx) =>
        tx.insertRelease(newRelease(catalog.stable, { version: '1.0.0', artifacts: [artifact()] })),
      'the id of a release': (tx) =>
        tx.insertRelease(newRelease(catalog.beta, { id: FIRST_ID, artifacts: [artifact()] })),
      'the hash of a key': (tx) => tx.insertKey(newKey({ hash: 'ab'.repeat(32) })),
    }

    for (const [what, insert] of Object.entries(refused)) {
      test(`${what} is unique, and a breach leaves the transaction usable`, async () => {
        await catalog.publish({ id: FIRST_ID, version: '1.0.0', artifacts: [artifact()] })
        await catalog.store.transact((tx) => tx.insertKey(newKey({ hash: 'ab'.repeat(32) })))
        await expect(catalog.store.transact(insert)).rejects.toBeInstanceOf(DuplicateError)
        await catalog.store.transact(async (tx) => {
          await expect(insert(tx)).rejects.toThrow(/already exists/)
          await tx.insertRelease(newRelease(catalog.beta, { version: '7.0.0' }))
        })
        expect(await catalog.store.release(catalog.beta.key, '7.0.0')).toBeDefined()
        expect((await catalog.store.apps()).length).toBe(1)
        expect((await catalog.store.release(catalog.stable.key, '1.0.0'))?.artifacts).toEqual([
          artifact(),
        ])
      })
    }

    test('a version may be on two channels, a channel name in two apps', async () => {
      await catalog.publish({ version: '1.0.0' })
      await catalog.store.transact(async (tx) => {
        await tx.insertRelease(newRelease(catalog.beta, { version: '1.0.0' }))
        const player = await tx.insertApp(newApp('player'))
        await tx.insertChannel(newChannel(player, 'stable'))
      })
      expect((await catalog.store.channels()).map((channel) => channel.name)).toEqual([
        'stable',
        'beta',
        'stable',
      ])
    })

    test('versions that differ only in build metadata are two', async () => {
      await catalog.publish({ version: '1.0.0+1' })
      await catalog.publish({ version: '1.0.0+2' })
      expect((await catalog.releasesOf(catalog.stable)).length).toBe(2)
    })

    test('a write to something unknown is rejected', async () => {
      const state = {
        targets: EVERY_DEVICE,
        rolloutPct: 1,
        status: 'paused',
        awaitsProof: false,
      } as const
      const nowhere: ((tx: CatalogWrites) => Promise<unknown>)[] = [
        (tx) => tx.insertChannel({ ...newChannel(catalog.app, 'x'), appKey: 4_711 }),
        (tx) => tx.insertRelease({ ...newRelease(catalog.stable), channelKey: 4_711 }),
        (tx) => tx.insertRelease({ ...newRelease(catalog.stable), appKey: 4_711 }),
        (tx) => tx.setPolicy(4_711, DEFAULT_POLICY),
        (tx) => tx.setServing(randomUUID(), state),
        (tx) => tx.setRevoked(4_711, AT),
      ]
      for (const write of nowhere) await expect(catalog.store.transact(write)).rejects.toThrow()
    })
  })
}
