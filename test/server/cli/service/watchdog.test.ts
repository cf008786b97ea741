import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type WatchedServer, watchServer } from '../../../../src/server/cli/serve/supervised.ts'
import { createServer } from '../../../../src/server/server.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { eventualValue } from '../../../support/eventually.ts'

/** What a watchdog hears while the storage answers in turn as listed, and then no more. */
async function heard(
  answers: readonly (boolean | 'none')[],
  files: WatchedServer['databaseTrouble'],
) {
  const questions: number[] = []
  const signs: number[] = []
  const server: WatchedServer = {
    databaseTrouble: files,
    storageAnswers: async () => {
      const answer = answers[questions.length]
      questions.push(questions.length)
      if (answer === 'none') await new Promise(() => {})
      return answer === true
    },
  }
  const asked = Promise.withResolvers<void>()
  const end = watchServer(
    () => {
      if (questions.length >= answers.length || signs.length > answers.length) asked.resolve()
      return server
    },
    30,
    async () => void signs.push(questions.length),
  )
  onTestFinished(end)
  return { asked: asked.promise, signs, questions }
}

const inPlace = () => null

test('a sign of life needs an answer of the storage', async () => {
  const { asked, signs } = await heard([true, false, true, true], inPlace)
  await asked
  expect(signs).toEqual([1, 3, 4])
})

test('a storage that does not respond is asked no more, and gives no sign', async () => {
  const { signs, questions } = await heard([true, 'none'], inPlace)
  await eventualValue(() => questions.length === 2 || undefined)
  expect(signs).toEqual([1])
})

test('a server without its database files is alive: only it knows what waits to be written', async () => {
  const { asked, signs, questions } = await heard([false], () => ({
    file: 'tidegate.db',
    issue: 'missing',
    since: new Date().toISOString(),
  }))
  await asked
  expect(signs.length).toBeGreaterThan(1)
  expect(questions).toEqual([])
})

test('the storage of a server answers, unless another process holds the lock', async () => {
  const dataFolder = temporaryFolder()
  const server = await createServer({ dataFolder, port: 0 }).start()
  onTestFinished(() => server.stop())
  expect(await server.storageAnswers(5_000)).toBe(true)
  const other = new Database(join(dataFolder, 'tidegate.db'))
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(await server.storageAnswers(50)).toBe(false)
  other.exec('ROLLBACK')
  expect(await server.storageAnswers(5_000)).toBe(true)
})
