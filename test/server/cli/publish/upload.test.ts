// @module-tag long

import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { evenBlockMap } from '../../../support/builders/block-maps.ts'
import { fileFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { cli, done, refusal, serveCli, shown, startCli } from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import {
  builtFile,
  downloadUrl,
  PUBLIC_URL,
  startHosting,
  tusOf,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import { BUCKET, credentials, startS3 } from '../../../support/servers/s3-server.ts'

const NAME = 'Editor 1.4.0-setup.exe'

function build(bytes: number) {
  const folder = temporaryFolder()
  const file = builtFile(bytes)
  const path = join(folder, NAME)
  writeFileSync(path, file.content)
  return { ...file, path, file: `windows/x86_64=${path}` }
}

const expectDownload = async (url: string, content: Buffer) => {
  const downloaded = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(downloaded.equals(content)).toBe(true)
}

test('publish --upload stores the files with a key and publishes their addresses, once', async () => {
  const server = await startHosting()
  const { content, sha512, file } = build(100_000)
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const publish = (...args: string[]) =>
    startCli(['publish', 'editor', 'stable', ...args], env).ended
  const url = `${PUBLIC_URL}/files/${sha512.slice(0, 32)}/${encodeURIComponent(NAME)}`
  const first = await publish('1.4.0', '--file', file, '--upload', '--json')
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(`Uploaded ${url} (`) })
  const { release } = JSON.parse(first.stdout)
  expect(release.artifacts).toMatchObject([{ url, sha512, size: 100_000 }])
  await expectDownload(downloadUrl(server, { url }), content)

  const again = await publish('1.4.0', '--file', file, '--upload', '--if-exists', 'same-ok')
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Already on the server') })
  const listed = await startCli(['file', 'list', '--json'], env).ended
  expectDescribed(['file', 'list'], JSON.parse(listed.stdout))
  expect(JSON.parse(listed.stdout).files).toMatchObject([{ name: NAME, uses: 1 }])
  const used = await startCli(['file', 'delete', sha512], env).ended
  expect(refusal(used)).toBe(`error: ${NAME} is used by release 1.4.0 of editor/stable`)
})

test('what cannot be uploaded is refused before anything is sent', async () => {
  const server = await startHosting()
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const manifest = join(temporaryFolder(), 'latest.yml')
  const sha512 = Buffer.alloc(64, 1).toString('base64')
  writeFileSync(manifest, `version: 1.4.0\nfiles:\n  - url: Gone.exe\n    sha512: ${sha512}\n`)
  const publish = (...args: string[]) =>
    startCli(['publish', 'editor', 'stable', ...args, '--upload'], env).ended
  const missing = await publish('--from', manifest)
  expect(missing.code).toBe(2)
  expect(missing.stderr).toContain('Gone.exe cannot be uploaded')
  const both = await publish('--from', manifest, '--url-base', 'https://downloads.example/')
  expect(both.code).toBe(2)
  expect(both.stderr).toContain('--url-base')
})

test('publish --upload sends the block map beside a file, and names one of another file', async () => {
  const server = await startHosting()
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const publish = (...args: string[]) =>
    startCli(['publish', 'editor', 'stable', ...args, '--upload'], env).ended
  const { content, path, file, sha512 } = build(90_000)
  writeFileSync(`${path}.blockmap`, evenBlockMap(content.subarray(1)))
  const strict = await publish('1.4.0', '--file', file, '--strict')
  expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining(`${NAME}.blockmap`)])
  writeFileSync(`${path}.blockmap`, evenBlockMap(content))
  const ended = await publish('1.4.0', '--file', file)
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  const { url } = JSON.parse((await publish('1.4.1', '--file', file, '--json')).stdout).release
    .artifacts[0]
  const answer = await fetch(`${downloadUrl(server, { url })}.blockmap`)
  const map = JSON.parse(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString())
  expect(map.files[0].sizes).toEqual(Array(9).fill(10_000))
  expect(readdirSync(join(server.artifacts, 'blockmaps'))).toEqual([sha512])
})

test('a release with a file that the server of this computer does not store is refused', async () => {
  const server = await startHosting()
  const { content } = build(1_000)
  const { sha512, size, url } = await uploadFile(server, content)
  const publish = (address: string) => {
    const artifact = `platform=linux,arch=x86_64,url=${address},sha512=${sha512},size=${size}`
    return cli(server.folder, 'publish', 'editor', 'stable', '1.4.0', '--artifact', artifact)
  }
  const refused = await publish(url.replace(sha512.slice(0, 32), '0'.repeat(32)))
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain(
    'error: artifacts.0.url: this server does not store this file; upload it first',
  )
  expect((await publish(url)).code).toBe(0)
})

// What has arrived at a node with PostgreSQL: see test/server/nodes/uploads.test.ts.
test.skipIf(isOnPostgres)(
  'an upload goes on after the server was killed, from the command line of the same computer too',
  async () => {
    const folder = fileFolder()
    const artifacts = join(folder, 'artifacts')
    const port = await freePort()
    const serve = () =>
      serveCli(
        ...([folder, '--port', String(port), '--console', 'off', '--min-free-disk', '0'] as const),
        ...['--artifacts', artifacts, '--public-url', `http://127.0.0.1:${port}`],
      )
    await done(folder, 'app', 'create', 'editor', '--init')
    const key = (await shown(folder, 'key', 'mint', 'ci')).secret
    const killed = await serve()
    const { content, sha512, path, file } = build(8 * 1_024 ** 2)
    const tus = tusOf({ address: killed.address, key })
    const { url } = await tus.begin({ name: NAME, size: content.length, sha512 })
    const sent = request(url, {
      method: 'PATCH',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0', 'upload-offset': '0' },
        ...{ 'content-type': 'application/offset+octet-stream', 'content-length': content.length },
      },
    })
    const broken = once(sent, 'error')
    sent.write(content.subarray(0, content.length / 2))
    const part = join(artifacts, 'uploads', url.slice(-32))
    await eventually(() => expect(statSync(part).size).toBeGreaterThan(0))
    await killed.stop('SIGKILL')
    await broken

    const server = await serve()
    const arrived = Number((await tus.state(url)).headers.get('upload-offset'))
    expect(arrived).toBe(statSync(part).size)
    const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: key }
    const ended = await startCli(
      ['publish', 'editor', 'stable', '1.4.0', '--file', file, '--upload', '--json'],
      env,
    ).ended
    expect(ended.code).toBe(0)
    // A second upload would have left the first one there.
    expect(readdirSync(join(artifacts, 'uploads'))).toEqual([])
    await expectDownload(JSON.parse(ended.stdout).release.artifacts[0].url, content)

    writeFileSync(path, builtFile(1_000).content)
    await done(folder, 'publish', 'editor', 'stable', '1.5.0', '--file', file, '--upload')
    const { files, bytes } = await shown(folder, 'file', 'list')
    expect(files).toHaveLength(2)
    expect(bytes).toBe(content.length + 1_000)
    await server.stop()
    const off = await startCli(['file', 'list', '--data', folder]).ended
    expect(off.code).not.toBe(0)
    expect(off.stderr).toContain('server')
  },
)

test('publish --upload stores files in a bucket, from which devices download them', async () => {
  const s3 = await startS3()
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const port = await freePort()
  for (const [name, value] of Object.entries(credentials())) vi.stubEnv(name, value)
  const server = await serveCli(
    ...([folder, '--port', String(port), '--console', 'off', '--min-free-disk', '0'] as const),
    ...['--artifacts', `s3://${BUCKET}/tidegate`, '--s3-endpoint', s3.endpoint],
    ...['--public-url', `http://127.0.0.1:${port}`],
  )
  vi.unstubAllEnvs()
  const { content, sha512 } = builtFile(9 * 1_024 ** 2)
  const path = join(temporaryFolder(), 'Editor 1.4.0-setup.exe')
  writeFileSync(path, content)
  const file = `windows/x86_64=${path}`
  await done(folder, 'publish', 'editor', 'stable', '1.4.0', '--file', file, '--upload')
  expect(s3.keys()).toEqual([`tidegate/${sha512}/Editor=201.4.0-setup.exe`])
  const { files, bytes } = await shown(folder, 'file', 'list')
  expect(files).toMatchObject([{ name: 'Editor 1.4.0-setup.exe', uses: 1 }])
  expect(bytes).toBe(content.length)
  const update = await fetch(`${server.address}/u/editor/stable/windows/x86_64/1.0.0`)
  const { url } = await update.json()
  const download = await fetch(url)
  expect(new URL(download.url).origin).toBe(s3.endpoint)
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  const { code, stderr } = await server.stop()
  expect([code, stderr]).toEqual([
    0,
    expect.not.stringContaining(credentials().AWS_ACCESS_KEY_ID ?? ''),
  ])
})

test('settings of a bucket that cannot be used are refused before the server starts', async () => {
  const serve = (...args: string[]) =>
    startCli(['serve', '--data', temporaryFolder(), '--public-url', 'https://a.example', ...args])
      .ended
  const [wrong, alone] = await Promise.all([
    serve('--artifacts', 's3://Studio'),
    serve('--artifacts', '/srv/artifacts', '--s3-region', 'garage'),
  ])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('must be s3://BUCKET or s3://BUCKET/PREFIX')
  expect(refusal(alone)).toBe(
    'error: --s3-endpoint and --s3-region need --artifacts with a bucket, such as s3://studio/tidegate',
  )
})
