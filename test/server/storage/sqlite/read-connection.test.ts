import { expect, test } from 'vitest'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { ReadConnection } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { addApps } from '../../../support/servers/database.ts'

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
