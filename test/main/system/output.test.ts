import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'

const OUTPUT = new URL('../../../src/main/system/output.ts', import.meta.url).href
/** Writes to both, and ends well only if it is still alive after both have failed. */
const SCRIPT = `
  const { surviveBrokenOutput } = await import('${OUTPUT}')
  surviveBrokenOutput()
  const failed = (stream) => new Promise((resolve) => stream.once('error', resolve))
  const both = Promise.all([failed(process.stdout), failed(process.stderr)])
  process.stdout.write('a line')
  process.stderr.write('a line')
  await both
  process.exit(7)`

test('the app outlives an output that cannot be written', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['ignore', full, full],
  })
  closeSync(full)
  expect((await once(child, 'exit'))[0]).toBe(7)
})
