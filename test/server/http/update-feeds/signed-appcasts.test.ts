import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { DocumentKey } from '../../../../src/shared/files/signed-document.ts'
import { ACTOR, PRINCIPAL } from '../../../support/builders/actor.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { startCommand } from '../../../support/processes/cli.ts'
import { expectError, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import {
  edSignature,
  isFeedAccepted,
  signedAppcast,
  sparkleKey,
} from '../../../support/updaters/signed-appcast.ts'

const key = sparkleKey()
const BASE = 'https://downloads.example/'

/** As `generate_appcast` writes it: of one item, whose archive is beside it. */
const appcast = (build: number, short: string) => `\uFEFF<?xml version="1.0" standalone="yes"?>
<!-- sparkle-sign-warning: sign it again after a change -->
<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0">
    <channel>
        <title>Editor &amp; friends</title>\r
        <item>
            <title>${short}</title>
            <sparkle:version>${build}</sparkle:version>
            <sparkle:shortVersionString>${short}</sparkle:shortVersionString>
            <sparkle:minimumSystemVersion>13.0</sparkle:minimumSystemVersion>
            <description sparkle:format="markdown"><![CDATA[- <Faster>]]></description>
            <enclosure url="Editor%20${build}.zip" length="${short.length}" type="application/octet-stream" sparkle:edSignature="${edSignature(short, key)}"/>
        </item>
    </channel>
</rss>
`

const artifactsOf = (build: number, short: string) => [
  {
    ...{ platform: 'darwin', arch: 'any', kind: 'zip', sha512: 'ab'.repeat(64) },
    url: `${BASE}${build}/Editor.zip`,
    ...{ size: short.length, signature: edSignature(short, key) },
  },
]

const documentOf = (text: string) => ({
  ...{ updater: 'sparkle', name: 'appcast.xml' },
  content: Buffer.from(text).toString('base64'),
})

async function startWithKey() {
  const server = await startWithApp()
  const change = { documentKeys: [DocumentKey.parse(`sparkle:${key.publicKey}`)] }
  await server.updates.setProving(PRINCIPAL, { app: 'editor', change })
  return server
}

async function publishSigned(server: TestServer, build: number, short: string, members = {}) {
  const text = signedAppcast(appcast(build, short), key)
  const content = { artifacts: artifactsOf(build, short), documents: [documentOf(text)] }
  const { id } = await publish(server, `${short}+${build}`, { ...content, ...members })
  return { text, id: String(id) }
}

test('a signed appcast is served byte for byte through staging, a roll-back and another channel', async () => {
  const server = await startWithKey()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  const first = await publishSigned(server, 100, '1.0.0')
  const second = await publishSigned(server, 200, '2.0.0', { rolloutPct: 10 })
  const third = await publishSigned(server, 300, '3.0.0-beta.1', { channel: 'beta' })
  const [early, late] = [deviceWithin(second.id, 0, 0.1), deviceWithin(second.id, 0.1, 1)]
  const served = async (device: string, channel = 'stable', version = '') => {
    const path = `/sparkle/editor/${channel}/appcast.xml?device=${device}${version}`
    const { status, headers } = await server.call('GET', path, { key: null })
    const type = headers.get('content-type')
    expect([status, type]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
    const bytes = Buffer.from(await (await fetch(`${server.address}${path}`)).arrayBuffer())
    expect(isFeedAccepted(bytes, key)).toBe(true)
    return bytes.toString()
  }
  expect(await served(early)).toBe(second.text)
  expect(await served(late)).toBe(first.text)
  expect(await served(late, 'beta')).toBe(third.text)
  // What is no update for a device is signed as well: Sparkle refuses an appcast without items otherwise.
  expect(await served(early, 'stable', '&version=200')).toBe(second.text)
  expect(await served(late, 'stable', '&version=100')).toBe(first.text)
  expect(await served(late, 'stable', '&version=150')).toBe(first.text)
  await serve(server, '2.0.0+200', { status: 'rolled_back' })
  expect(await served(early)).toBe(first.text)
  expect(await served(early, 'stable', '&version=200')).toBe(first.text)
})

test('the archive beside an appcast is redirected to its address, until its release is rolled back', async () => {
  const server = await startWithKey()
  await publishSigned(server, 100, '1.0.0')
  const download = (name: string) =>
    server.call('GET', `/sparkle/editor/stable/${name}`, { key: null })
  const { status, headers } = await download('Editor%20100.zip')
  expect([status, headers.get('location')]).toEqual([302, `${BASE}100/Editor.zip`])
  expectError(await download('Editor%20101.zip'), 404)
  await serve(server, '1.0.0+100', { status: 'rolled_back' })
  expectError(await download('Editor%20100.zip'), 404)
})

test('no byte of a signed appcast can be altered', async () => {
  const server = await startWithKey()
  const signed = Buffer.from(signedAppcast(appcast(100, '1.0.0'), key))
  const end = signed.lastIndexOf('<!--')
  for (let at = 0; at < end; at += 1) {
    const altered = Buffer.from(signed)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(isFeedAccepted(altered, key), String(at)).toBe(false)
  }
  // A byte of every line is enough for the server, which verifies the same bytes.
  const lines = signed.subarray(0, end).toString('latin1').split('\n')
  let at = -2
  for (const line of lines.slice(0, -1)) {
    at += line.length + 1
    const altered = Buffer.from(signed)
    altered[at] = (altered[at] ?? 0) ^ 1
    const documents = [{ ...documentOf(''), content: altered.toString('base64') }]
    const body = publishBody('1.0.0+100', { artifacts: artifactsOf(100, '1.0.0'), documents })
    const answer = await server.call('POST', RELEASES, { body })
    expect(expectError(answer, 400), line).toContain('appcast.xml')
  }
})

test('publish reads version, file and floor of an appcast, and keeps it', async () => {
  const server = await startWithKey()
  const folder = temporaryFolder()
  const text = signedAppcast(appcast(100, '1.0.0'), key)
  writeFileSync(join(folder, 'appcast.xml'), text)
  writeFileSync(join(folder, 'Editor 100.zip'), '1.0.0')
  const { code, stderr } = await startCommand(
    [
      ...['publish', 'editor', 'stable', '--from', join(folder, 'appcast.xml')],
      ...['--url-base', BASE, '--strict'],
    ],
    { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key },
  ).ended
  expect([code, stderr]).toEqual([0, ''])
  const { body } = await server.call('GET', `${RELEASES}/editor/stable/1.0.0+100`)
  expect(body.release).toMatchObject({
    notes: '- <Faster>',
    artifacts: [{ platform: 'darwin', arch: 'any', minimumSystemVersion: '13.0' }],
    documents: [{ ...documentOf(text), checked: true }],
  })
})
