import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { storageEngine } from '../../../../src/server/storage/open-storage.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { cli, done, serveCli, startCommand } from '../../../support/processes/cli.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { databaseOf, isOnPostgres } from '../../../support/servers/engine.ts'
import { request } from '../../../support/servers/server.ts'

test.concurrent('status finds the server of the data folder, and asks another by its address', async () => {
  const folder = fileFolder()
  const port = await freePort()
  const server = await serveCli(folder, '--tls-self-signed', '--metrics-port', String(port))
  const own = await cli(folder, 'status')
  expect(own).toMatchObject({ code: 0, stderr: '' })
  expect(own.stdout).toContain('is ready to answer update checks.')
  const engine = storageEngine({ dataFolder: folder, database: await databaseOf(folder) })
  expect(own.stdout).toContain(engine.location)
  const json = JSON.parse(await done(folder, 'status', '--json'))
  expect(json).toMatchObject({ status: 'ready', details: { processId: server.child.pid } })
  const { statusToken } = (await engine.holder()) ?? {}
  expect(statusToken).toMatch(/./)
  expect(own.stdout).not.toContain(statusToken)
  // Its certificate is not known here.
  const distrusted = await startCommand(['status', '--server', server.address]).ended
  expect(distrusted).toMatchObject({ code: 4, stderr: expect.stringMatching(/certificate/i) })
  expect(server.output.stdout).toContain(`Metrics: http://127.0.0.1:${port}/metrics`)
  const metrics = await request(`http://127.0.0.1:${port}/metrics`, 'GET')
  expect(metrics.text).toContain('tidegate_ready 1')
  const second = await cli(fileFolder(), 'serve', '--port', '0', '--metrics-port', String(port))
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('--metrics-port') })
  await server.stop()
  expect(await cli(folder, 'status')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('no server is running'),
  })
})

/** The file of SQLite. */
test
  .skipIf(isOnPostgres)
  .concurrent('status fails while the database is not in place', async () => {
    const folder = fileFolder()
    const server = await serveCli(folder)
    const file = join(folder, 'tidegate.db')
    renameSync(file, `${file}.moved`)
    await eventually(async () => {
      const { code, stdout } = await cli(folder, 'status')
      expect(stdout).toContain('NOT ready')
      expect(code).toBe(1)
    })
    renameSync(`${file}.moved`, file)
    await server.stop()
  })

test.concurrent('requests have a log of their own, which can be moved', async () => {
  const folder = fileFolder()
  const logFile = join(folder, 'server.log')
  const accessFile = `${logFile}.access`
  const server = await serveCli(folder, '--log-file', logFile, '--access-log')
  await request(`${server.address}/healthz/live`, 'GET')
  await eventually(() => expect(readFileSync(accessFile, 'utf8')).toContain('/healthz/live'))
  expect(readFileSync(logFile, 'utf8')).not.toContain('/healthz/live')
  expect(statSync(accessFile).mode & 0o777).toBe(0o600)
  renameSync(accessFile, `${accessFile}.moved`)
  server.child.kill('SIGHUP')
  await eventually(async () => {
    await request(`${server.address}/healthz`, 'GET')
    expect(readFileSync(accessFile, 'utf8')).toContain('"path":"/healthz"')
  })
  await server.stop()
})

test.concurrent('a support bundle has settings, state and log, and no key', async () => {
  const folder = fileFolder()
  const logFile = join(folder, 'server.log')
  writeFileSync(join(folder, 'tidegate.json'), JSON.stringify({ logFile, deviceLimit: 7 }))
  await done(folder, 'app', 'create', 'editor', '--init')
  const key = /tg_\S+/.exec(await done(folder, 'key', 'mint', 'ci'))?.[0] ?? ''
  expect(key).not.toBe('')
  const server = await serveCli(folder)
  const id = '0190d0f0-0000-7000-8000-00000000abcd'
  writeFileSync(logFile, `{"level":50,"msg":"key ${key} of ${id}"}\n`, { flag: 'a' })
  const output = join(folder, 'bundle.zip')
  const bundle = await cli(folder, 'support-bundle', '--output', output)
  expect(bundle).toMatchObject({ code: 0, stderr: '' })
  await server.stop()
  const files = unzipSync(readFileSync(output))
  expect(Object.keys(files)).toEqual([
    ...['versions.json', 'settings.json', 'status.json', 'database.json', 'log.jsonl'],
  ])
  for (const name of Object.keys(files)) expect(bundle.stdout).toContain(name)
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  expect(statSync(output).mode & 0o777).toBe(0o600)
  expect(JSON.parse(read('settings.json')).settings).toContainEqual({
    ...{ name: 'deviceLimit', value: 7, source: 'file' },
  })
  expect(JSON.parse(read('status.json'))).toMatchObject({
    ...{ running: true, status: 'ready', details: { processId: server.child.pid } },
  })
  expect(JSON.parse(read('database.json'))).toMatchObject({ ok: true, rows: { apps: 1 } })
  expect(read('log.jsonl')).toContain('listening')
  expect(read('log.jsonl')).toContain('key [removed] of [removed]')
  const again = await cli(folder, 'support-bundle', '--output', output)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
})

test.concurrent('a support bundle is made where nothing works', async () => {
  const folder = fileFolder()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tidegate.json'), '{"port": "high"}')
  const output = join(folder, 'bundle.zip')
  const { code } = await startCommand(['support-bundle', '--data', folder, '--output', output])
    .ended
  expect(code).toBe(0)
  const files = unzipSync(readFileSync(output))
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array()))
  expect(read('settings.json')).toHaveProperty('error')
  expect(read('status.json')).toEqual({ running: false })
  expect(read('database.json')).toHaveProperty('error')
})
