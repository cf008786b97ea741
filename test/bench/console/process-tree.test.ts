import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { appMemory } from './process-tree.ts'

const WAIT = 'process.stdin.resume()'
/** An app with three processes that exit with their standard input: itself, a server and a page. */
const APP = `
const { spawn } = require('node:child_process')
const child = (...args) => spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] }).pid
const server = child('-e', ${JSON.stringify(WAIT)})
child('-e', ${JSON.stringify(WAIT)}, '--', '--type=renderer')
console.log(server)
${WAIT}`

test.runIf(process.platform === 'linux')('memory is told by what a process is for', async () => {
  const app = spawn(process.execPath, ['-e', APP], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void app.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: app.stdout }), 'line')
  const find = () => appMemory(app.pid ?? 0, Number(line))
  // A process that was just started may not have executed its program yet.
  await expect.poll(() => find()?.page).toBeGreaterThan(1)
  await expect.poll(() => find()?.server).toBeGreaterThan(1)
  expect(find()?.main).toBeGreaterThan(1)
  expect(find()?.engine).toBe(0)
})
