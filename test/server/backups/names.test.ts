import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyName, ownerOf, readName } from '../../../src/server/backups/folder.ts'

test('a name contains its owner and its second', () => {
  const owner = ownerOf('/data')
  const second = fc.integer({ min: 0, max: 4_102_444_800 })
  fc.assert(
    fc.property(second, (seconds) => {
      const name = copyName(owner, seconds * 1_000)
      expect(readName(name)).toEqual({ name, owner, at: seconds * 1_000 })
    }),
  )
})

test.each([
  'tidegate.db',
  'tidegate-backup.db',
  'tidegate-1f2e3d4c-20260230T000000Z.db',
  'tidegate-1f2e3d4c-20260131T250000Z.db',
  'tidegate-1F2E3D4C-20260131T235959Z.db',
  'tidegate-1f2e3d4c-20260131T235959Z.db.partial',
  '../tidegate-1f2e3d4c-20260131T235959Z.db',
])('%s is not the name of a backup', (name) => {
  expect(readName(name)).toBeUndefined()
})

test('data folders have different owners, and one folder has one', () => {
  expect(ownerOf('/data/a')).not.toBe(ownerOf('/data/b'))
  expect(ownerOf('/data/a')).toBe(ownerOf('/data/b/../a'))
})
