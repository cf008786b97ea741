import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storageEngine } from '../../../src/server/storage/open-storage.ts'
import { DEVICE } from '../../support/builders/devices.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { eventualValue } from '../../support/eventually.ts'
import { done, serveCli, shown } from '../../support/processes/cli.ts'
import { databaseOf, databaseVariables } from '../../support/servers/engine.ts'
import { request } from '../../support/servers/server.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CHECK = '/u/editor/stable/darwin/aarch64/1.0.0'

/** `npm run serve` in a process group of its own, as a terminal has it. */
async function npmServe(folder: string) {
  const npm = spawn('npm', ['run', '-s', 'serve', '--', '--data', folder, '--port', '0'], {
    cwd: ROOT,
    env: {
      ...{ ...process.env, TIDEGATE_LOG_LEVEL: 'silent' },
      ...(await databaseVariables(folder)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const group = npm.pid ?? 0
  onTestFinished(() => killGroup(group))
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const address = await eventualValue(() => /listening on (\S+)\n/.exec(output)?.[1])
  return { npm, group, address, ended: once(npm, 'exit') }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}

/** A server has stopped in order: the last check-in is stored, the storage free, the port too. */
async function expectStopped(folder: string, address: string): Promise<void> {
  const engine = storageEngine({ dataFolder: folder, database: await databaseOf(folder) })
  await eventualValue(async () => {
    const isFree = (await engine.holder()) === undefined
    return (isFree && !existsSync(join(folder, 'server.json'))) || undefined
  })
  const { device } = await shown(folder, 'device', 'show', 'editor', DEVICE)
  expect(device.version).toBe('1.0.0')
  const again = await serveCli(folder, '--port', new URL(address).port)
  expect(await again.stop()).toMatchObject({ code: 0 })
}

test
  .skipIf(process.platform === 'win32')
  .concurrent('SIGTERM to npm stops its server in order', async () => {
    const folder = fileFolder()
    await done(folder, 'app', 'create', 'editor', '--init')
    const { npm, address } = await npmServe(folder)
    await request(address + CHECK, 'GET', { headers: { 'X-Service-Device': DEVICE } })
    npm.kill('SIGTERM')
    await expectStopped(folder, address)
  })

test
  .skipIf(process.platform === 'win32')
  .concurrent('Ctrl-C stops npm and its server once', async () => {
    const folder = fileFolder()
    await done(folder, 'app', 'create', 'editor', '--init')
    const { group, address, ended } = await npmServe(folder)
    await request(address + CHECK, 'GET', { headers: { 'X-Service-Device': DEVICE } })
    process.kill(-group, 'SIGINT')
    const [code, signal] = await ended
    expect(signal === 'SIGINT' || code === 0 || code === 130).toBe(true)
    await expectStopped(folder, address)
  })

test('the launcher names the Node that it needs', () => {
  const folder = fileFolder()
  const older = join(folder, 'older.cjs')
  writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })")
  const launcher = join(ROOT, 'build/launch.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', older, launcher, 'src/server/cli.ts', '--version'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Tidegate needs Node 24 or later, and this is Node 20\.20\.2\. [^\n]+\n$/)
})
