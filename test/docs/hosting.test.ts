import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { HostedFileAnswer } from '../../src/shared/files/hosted-file.ts'
import { sha512Hex, tauriManifest, writeBuild } from '../support/builders/builds.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { type CiWorld, released, startCiWorld } from '../support/ci/world.ts'
import { PageCode } from '../support/docs/page.ts'
import { homeWithData, runShell, startServer } from '../support/docs/run.ts'
import { eventually } from '../support/eventually.ts'
import { isOnPostgres } from '../support/servers/engine.ts'
import { BUCKET, credentials, startS3 } from '../support/servers/s3-server.ts'
import { needs } from '../support/tools.ts'

const code = new PageCode('docs/hosting.md')
const start = code.takeOne('Turn it on', 'sh')
const bucket = code.takeOne('Keep the files in a bucket', 'sh')
const [publish = '', list = ''] = code.take('Upload from the command line', 'sh')
const curl = code.takeOne('Upload with curl', 'sh')
const described = code.takeOne('Upload with curl', 'json')
const [backup = '', restore = ''] = code.take('Back up the files', 'sh')

const NAME = 'Editor_1.4.0_x64-setup.exe'

let world: CiWorld

beforeEach(async () => {
  world = await startCiWorld()
})

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the server starts with a folder for files', async () => {
  const folder = temporaryFolder()
  const address = await startServer(
    start.replace('./artifacts', join(folder, 'artifacts')),
    await homeWithData(folder),
  )
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  expect(existsSync(join(folder, 'artifacts/files'))).toBe(true)
})

test('the server starts with a bucket', async () => {
  const s3 = await startS3()
  const address = await startServer(
    bucket.replace('https://s3.example.com', s3.endpoint).replace('s3://studio', `s3://${BUCKET}`),
    { ...(await homeWithData(temporaryFolder())), ...credentials() },
  )
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  await eventually(() => {
    expect(s3.requests).toContainEqual({ operation: 'GET list', path: `/${BUCKET}/` })
  })
  expect(await fetch(`${address}/files/${'0'.repeat(32)}/a`)).toMatchObject({ status: 404 })
})

test('built files are uploaded, published, listed, backed up and restored', async () => {
  const { server, folder, env } = world
  const withKey = { ...env, TIDEGATE_KEY: server.key, TIDEGATE_SERVER: server.address }
  const manifest = tauriManifest('1.4.0', { 'darwin-aarch64': 'https://other.example/app.tar.gz' })
  const built = { [NAME]: 'windows', 'app.tar.gz': 'mac', 'latest.json': manifest }
  writeBuild(join(folder, 'dist'), built)
  await runShell(publish, withKey, folder)
  const { artifacts } = await released(world)
  const urls = artifacts.map(({ url }: { url: string }) => new URL(url).pathname)
  const path = (content: string, name: string) =>
    `/files/${sha512Hex(content).slice(0, 32)}/${name}`
  expect(urls.sort()).toEqual([path('mac', 'app.tar.gz'), path('windows', NAME)].sort())
  expect(await runShell(list, withKey, folder)).toContain('2 files, 10 B')
  // PostgreSQL is backed up with its own tools.
  if (isOnPostgres) return
  await runShell(backup, { ...env, TIDEGATE_DATA: server.folder }, folder)
  const files = readdirSync(join(folder, 'tidegate-files'))
  expect(files).toHaveLength(2)
  await runShell(restore, { ...env, TIDEGATE_DATA: join(temporaryFolder(), 'new') }, folder)
  expect(readdirSync(join(folder, 'artifacts/files'))).toEqual(expect.arrayContaining(files))
})

test('curl uploads a file, and is told where it is', needs('curl'), async () => {
  const { server, folder, env } = world
  writeBuild(join(folder, 'dist'), { [NAME]: 'hello' })
  const withKey = { ...env, TIDEGATE_KEY: server.key, TIDEGATE_SERVER: server.address }
  await runShell(curl, withKey, folder)
  const { file } = HostedFileAnswer.parse(
    JSON.parse(readFileSync(join(folder, 'uploaded.json'), 'utf8')),
  )
  const shown = HostedFileAnswer.parse(JSON.parse(described)).file
  expect(shown.sha512).toBe(sha512Hex('hello'))
  const { url: _, storedAt: __, ...facts } = shown
  expect(file).toMatchObject(facts)
  expect(new URL(file.url).pathname).toBe(new URL(shown.url).pathname)
})
