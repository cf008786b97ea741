import { expect, test, vi } from 'vitest'
import { move } from '../../../../src/server/storage/move/move.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { contentsOf, makeRichFolder } from './moved-folder.ts'

// A demo is made, and moved twice.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

test('what was moved there and back is the same', async () => {
  const folder = await makeRichFolder()
  const url = await freshDatabase()
  const back = fileFolder()
  const before = contentsOf(folder)
  const there = await move({ from: { kind: 'folder', folder }, to: { kind: 'postgres', url } })
  expect(contentsOf(folder)).toEqual(before)
  const again = await move({
    from: { kind: 'postgres', url },
    to: { kind: 'folder', folder: back },
  })
  expect(contentsOf(back)).toEqual(before)
  expect(again.tables).toEqual(there.tables)
  expect(there.devices.length).toBeGreaterThan(1)
})
