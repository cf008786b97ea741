import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { blocksOf, PageCode, readPage } from '../support/docs/page.ts'
import { homeIn, runBlocks, runShell, startServer } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const LOCAL = 'http://127.0.0.1:8440'
const code = new PageCode('README.md')
const start = code.takeOne('Tidegate', 'sh')
const check = code.takeOne('Run the tests', 'sh')
const demo = code.takeOne('Demo', 'sh')
const tour = code.take('Five-minute tour', 'sh')
const backup = code.takeOne('Backups', 'sh')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('opens with the two commands', () => {
  const [first, second] = blocksOf(readPage('README.md')).map(({ text }) => text)
  expect([first, second]).toEqual([start, check])
  expect([start, check]).toEqual(['npm ci && npm run serve', 'npm ci && npm test'])
})

test('the demo starts', async () => {
  const command = demo.replace('npm ci && ', '')
  expect(await runShell(`${command} -- --help`, homeIn(temporaryFolder()))).toContain('--devices')
})

// A dozen processes start one after the other.
test('the tour and the backup work as they are written', needs('curl'), async () => {
  const folder = temporaryFolder()
  const environment = homeIn(folder)
  const address = await startServer(start, environment)
  const blocks = [...tour, backup.replace('tidegate-backup.db', `${folder}/tidegate-backup.db`)]
  const outputs = await runBlocks(
    blocks.map((block) => block.replaceAll(LOCAL, address)),
    environment,
  )
  const [apps, key, published, outside, inside, feed, rolledBack, backedUp] = outputs
  expect(apps).toContain('editor')
  expect(key).toBe('')
  expect(JSON.parse(published ?? '').release).toMatchObject({ version: '1.1.0', rolloutPct: 0 })
  expect(outside).toBe('204')
  const [raised, manifest] = (inside ?? '').split(/(?<=\})(?=\{)/)
  expect(JSON.parse(raised ?? '').release.rolloutPct).toBe(100)
  expect(JSON.parse(manifest ?? '')).toMatchObject({ version: '1.1.0', allowDowngrade: false })
  expect(JSON.parse(feed ?? '').releases).toHaveLength(1)
  expect(rolledBack).toMatch(/rolled.back/)
  expect(backedUp).toContain('No problems found.')
})
