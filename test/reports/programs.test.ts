import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builderManifest, tauriManifest } from '../support/builders/builds.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { asTauri, minisignPair, TAURI_SIGNATURE } from '../support/builders/minisign.ts'
import { cli, done, expectRefused, serveWith, startCommand } from '../support/processes/cli.ts'
import { startWithApp } from '../support/servers/server.ts'

// Inputs of reports about other products: see README.md in this folder.

/** A host of downloads: pages for `/blob/`, nothing in `/empty`. */
async function startHost(): Promise<string> {
  const host = createServer(({ url = '' }, response) => {
    const isPage = url.includes('/blob/')
    response.setHeader('Content-Type', isPage ? 'text/html; charset=utf-8' : 'application/zip')
    response.end(isPage ? '<!doctype html>' : url.includes('empty') ? '' : `file ${url}`)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void host.close())
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`
}

async function start() {
  const [server, host] = [await startWithApp(), await startHost()]
  const folder = temporaryFolder()
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const publish = (name: string, content: string, ...args: string[]) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return startCommand(['publish', 'editor', 'stable', '--from', file, ...args], env).ended
  }
  return { server, host, folder, env, publish }
}

test('a manifest of Tauri whose signature or file is not what apps get is not published with --strict', async () => {
  const { host, publish } = await start()
  const signed = minisignPair().sign(Buffer.from('a'))
  const cases: [string, string, RegExp][] = [
    ['', '/a.msi.zip', /has no signature/],
    [minisignPair().tauriKey, '/a.msi.zip', /not of a minisign signature/],
    [
      asTauri(signed.split('\n').slice(0, 2).join('\n')),
      '/a.msi.zip',
      /not of a minisign signature/,
    ],
    ['./a.msi.zip.sig', '/a.msi.zip', /not base64/],
  ]
  for (const [signature, path, reason] of cases) {
    const manifest = tauriManifest('1.0.0', { 'windows-x86_64': `${host}${path}` }, signature)
    const ended = await publish('latest.json', manifest, '--verify-urls', '--strict')
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(reason)])
  }
  for (const [path, reason] of [
    ['/x/blob/master/a.msi.zip', /web page/],
    ['/empty.msi.zip', /is empty/],
  ] as const) {
    const manifest = tauriManifest('1.0.0', { 'windows-x86_64': `${host}${path}` })
    const ended = await publish('latest.json', manifest, '--verify-urls')
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(reason)])
  }
  const none = await publish('latest.json', '{"version":"1.0.0","platforms":{}}', '--strict')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no artifacts')])
  const right = tauriManifest('1.0.0', { 'windows-x86_64': `${host}/a.msi.zip` }, TAURI_SIGNATURE)
  expect(await publish('latest.json', right, '--verify-urls', '--strict')).toMatchObject({
    code: 0,
  })
})

test('what an appcast has besides is kept or named, and so is a signature that Sparkle does not know', async () => {
  const { folder, publish } = await start()
  writeFileSync(join(folder, 'A.zip'), 'a')
  const edSignature = `sparkle:edSignature="${'A'.repeat(86)}=="`
  const appcast = (members: string, signature = edSignature) =>
    `<?xml version="1.0"?><rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0"><channel><item><title>x</title>${members}<enclosure url="https://a.example/A.zip" sparkle:version="200" sparkle:shortVersionString="2.0.0" length="1" type="application/octet-stream" ${signature}/></item></channel></rss>`
  const cases: [string, string | undefined, RegExp][] = [
    [
      '<sparkle:phasedRolloutInterval>86400</sparkle:phasedRolloutInterval><sparkle:channel>beta</sparkle:channel>',
      undefined,
      /sparkle:phasedRolloutInterval and sparkle:channel/,
    ],
    ['', 'sparkle:dsaSignature="MEUC"', /no edSignature/],
    ['', '', /no edSignature/],
    ['', 'sparkle:edSignature="abc"', /not what sign_update prints/],
  ]
  for (const [members, signature, reason] of cases) {
    const ended = await publish('appcast.xml', appcast(members, signature), '--strict')
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(reason)])
  }
  const kept = [
    '<sparkle:minimumSystemVersion>10.13</sparkle:minimumSystemVersion>',
    '<sparkle:maximumSystemVersion>14.0</sparkle:maximumSystemVersion>',
    '<description><![CDATA[<h1>New</h1>]]></description>',
  ]
  expect(await publish('appcast.xml', appcast(kept.join('')), '--strict')).toMatchObject({
    code: 0,
  })
})

test('a stagingPercentage of 0.1 is neither 0% nor 10%', async () => {
  const { publish } = await start()
  const manifest = `${builderManifest('1.0.0', { 'A-x64.exe': 'a' })}stagingPercentage: 0.1\n`
  const base = ['--url-base', 'https://a.example']
  for (const choice of [[], ['--rollout', 'manifest']]) {
    const ended = await publish('latest.yml', manifest, ...base, ...choice)
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('reads as 0%')])
  }
  expect(await publish('latest.yml', manifest, ...base, '--rollout', '10')).toMatchObject({
    code: 0,
  })
})

test('a key with a line break, and the address of the API, are understood', async () => {
  const { env, server } = await start()
  const list = (given: NodeJS.ProcessEnv) =>
    startCommand(['release', 'list', 'editor'], { ...env, ...given }).ended
  for (const given of [
    { TIDEGATE_KEY: `${server.key}\n` },
    { TIDEGATE_KEY: ` ${server.key}\r\n` },
    { TIDEGATE_SERVER: `${server.address}/api/v1` },
    { TIDEGATE_SERVER: `${server.address}/api/v1/` },
    { TIDEGATE_SERVER: `${server.address}/console/` },
  ]) {
    expect(await list(given)).toMatchObject({ code: 0 })
  }
  expect(await list({ TIDEGATE_KEY: `"${server.key}"` })).toMatchObject({ code: 5 })
})

test('a server starts beside a service of Kubernetes with its name, and names variables that are no setting', async () => {
  const link = {
    TIDEGATE_PORT: 'tcp://10.96.0.1:8440',
    TIDEGATE_SERVICE_HOST: '10.96.0.1',
    TIDEGATE_PORT_8440_TCP: 'tcp://10.96.0.1:8440',
  }
  const folder = temporaryFolder()
  // The option --port of the server below would hide the variable.
  const shown = await startCommand(['config', 'show', '--data', folder, '--json'], link).ended
  expect(JSON.parse(shown.stdout).settings).toContainEqual(
    expect.objectContaining({ name: 'port', value: 8_440, source: 'default' }),
  )
  const serving = await serveWith({ ...link, TIDEGATE_DEVICE_LIMT: '5' }, folder)
  await serving.stop()
  expect(serving.output.stderr.match(/variable (\S+) is not a setting/g)).toEqual([
    'variable TIDEGATE_DEVICE_LIMT is not a setting',
  ])
})

test('a backup into a folder that is missing says so, and one onto another disk is restored', async () => {
  const folder = temporaryFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const missing = await cli(folder, 'backup', join(folder, 'gone', 'b.db'))
  expectRefused(missing, 1, 'gone does not exist')
  const other = temporaryFolder()
  mkdirSync(join(other, 'b'))
  await done(folder, 'backup', join(other, 'b', 'b.db'))
  await done(other, 'restore', join(other, 'b', 'b.db'))
  expect(await done(other, 'app', 'list')).toContain('editor')
})
