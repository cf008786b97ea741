import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../builders/folders.ts'

const VITEST = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
const FIXTURE = join(import.meta.dirname, 'fixture')

/** Runs files of the fixture on a computer without any tool. Returns what the run printed. */
function run(file: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|CI$)/.test(name))
  const bare = { PATH: temporaryFolder(), TIDEGATE_TEST_BARE: 'true', NO_COLOR: '1' }
  const env = { ...Object.fromEntries(inherited), ...bare, ...more }
  return new Promise((resolve) => {
    execFile(process.execPath, [VITEST, 'run', file], { cwd: FIXTURE, env }, (_, ...output) =>
      resolve(output.join('')),
    )
  })
}

test('a test without its tool is skipped, and the end names the tool', async () => {
  const output = await run('tools')
  expect(output).toMatch(/Tests +3 skipped/)
  expect(output).toContain(
    'Missing tools\n' +
      '  caddy: 3 tests skipped. apt-get install caddy\n' +
      '  nginx: 2 tests skipped. apt-get install nginx\n',
  )
  expect(output).not.toContain('npm run again')
})

test('on CI, a missing tool fails', async () => {
  const output = await run('tools', { CI: 'true' })
  expect(output).toContain('Error: caddy is missing: apt-get install caddy')
  expect(output).toContain('1 failed')
})

test('a test that hangs says what it waits for, and how to run it again', async () => {
  const output = await run('hanging')
  expect(output).toMatch(/Test timed out in 1000ms[\s\S]+It waits for:\n/)
  expect(output).toMatch(/- process \d+: .+ -e \/\/ Stays/)
  expect(output).toMatch(/- GET http:\/\/127\.0\.0\.1:\d+\/never \(\d\.\d s\)/)
  expect(output).toMatch(/- eventually at hanging\.fixture\.ts:\d+: expected 1 to be 2/)
  expect(output).toContain('Run what failed again: npm run again\n')
})
