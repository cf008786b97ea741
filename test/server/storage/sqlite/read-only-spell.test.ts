import { chmodSync, chownSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { ReadConnection } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { addApps } from '../../../support/servers/database.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')(
  'a database that cannot be written for a while',
  () => {
    test('is written again when it can be, by the same process', async () => {
      const folder = preparedFolder()
      const file = dataFile(folder)
      if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
      const { child, line, exited } = startFixture('commit-on-request.ts', file)
      expect(await line()).toBe('open')
      const commit = () => {
        child.stdin?.write('\n')
        return line()
      }
      // SQLite opens such a file without a word, read-only.
      chmodSync(file, 0o444)
      expect([await commit(), await commit()]).toEqual(['unwritable', 'unwritable'])
      chmodSync(file, 0o600)
      // The first try may find a write-ahead log that was made meanwhile.
      const tries = [await commit(), await commit(), await commit()]
      expect(tries).toContain('committed 1')
      expect(await commit()).toMatch(/^committed/)
      child.stdin?.end()
      expect(await exited).toMatchObject({ code: 0 })
    })
  },
)

const REFS = 'SELECT ref FROM apps'

test('a question of several statements sees one state, and others see what is committed when they are asked', async () => {
  const folder = preparedFolder()
  const reading = new ReadConnection(dataFile(folder), 'catalog', {})
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = reading.atOnce(async (now) => {
    const before = await now.rows(REFS)
    begun.resolve()
    await gate.promise
    return [...before, ...(await now.rows(REFS))]
  })
  await begun.promise
  addApps(folder, 'editor')
  const second = reading.rows(REFS)
  gate.resolve()
  expect(await first).toEqual([])
  expect(await second).toEqual([{ ref: 'editor' }])
  reading.close()
  await expect(reading.atOnce((now) => now.rows(REFS))).rejects.toMatchObject({ code: 'closed' })
})
