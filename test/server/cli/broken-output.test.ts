import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storageEngine } from '../../../src/server/storage/open-storage.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { eventualValue } from '../../support/eventually.ts'
import { cli, done, refusal } from '../../support/processes/cli.ts'
import { databaseOf, databaseVariables } from '../../support/servers/engine.ts'
import { request } from '../../support/servers/server.ts'
import { scriptFile } from '../../support/workers/script-file.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Starts `serve` with outputs that it cannot write to, and waits until it listens. */
async function serveTo(outputs: 'full' | 'gone', folder: string, ...args: string[]) {
  const full = openSync('/dev/full', 'w')
  const output = outputs === 'full' ? full : 'pipe'
  const child = spawn(
    process.execPath,
    [scriptFile('cli'), 'serve', '--data', folder, '--port', '0', ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...(await databaseVariables(folder)) },
      stdio: ['ignore', output, output],
    },
  )
  closeSync(full)
  // Whoever read has gone before the first line.
  child.stdout?.destroy()
  child.stderr?.destroy()
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const engine = storageEngine({ dataFolder: folder, database: await databaseOf(folder) })
  const address = await eventualValue(async () => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`)
    return (await engine.holder())?.address ?? undefined
  })
  const stop = async () => {
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  return { address, stop }
}

describe('a server whose output cannot be written', () => {
  for (const outputs of ['full', 'gone'] as const) {
    test(`goes on answering, counts the lines and stops properly: ${outputs}`, async () => {
      const folder = fileFolder()
      await done(folder, 'app', 'create', 'editor', '--init')
      const server = await serveTo(outputs, folder)
      const lost = await eventualValue(async () => {
        const { body } = await request(`${server.address}/healthz`, 'GET')
        return body.log.lost > 0 ? body.log : undefined
      })
      expect(lost).toMatchObject({ state: 'failing' })
      const check = await request(`${server.address}/u/editor/stable/linux/x64/1.0.0`, 'GET')
      expect(check.status).toBe(204)
      expect(await server.stop()).toBe(0)
    })
  }

  test('does not start with a log file that cannot be opened', async () => {
    const folder = fileFolder()
    const { code, stderr } = await cli(folder, 'serve', '--port', '0', '--log-file', folder)
    expect(code).toBe(1)
    expect(refusal({ stderr })).toMatch(/^error: --log-file: .* cannot be written \(EISDIR/)
  })

  test('logs to the given file', async () => {
    const folder = fileFolder()
    const file = join(folder, 'logs', 'server.log')
    const server = await serveTo('full', folder, '--log-file', file)
    expect((await request(`${server.address}/healthz`, 'GET')).body.log).toEqual({
      state: 'ok',
      lost: 0,
    })
    expect(await server.stop()).toBe(0)
    const messages = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg)
    expect(messages).toEqual(['listening', 'stopped'])
  })
})

test('a command whose output cannot be written reports it and fails', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [scriptFile('cli'), 'app', 'list', '--data', folder], {
    cwd: ROOT,
    env: { ...process.env, ...(await databaseVariables(folder)) },
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(stderr).toMatch(/^error: the output could not be written \(.*ENOSPC.*\n$/)
})
