import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha512Base64, writeBuild } from '../../../support/builders/builds.ts'
import { fileFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { cli, done, shown } from '../../../support/processes/cli.ts'
import { signedManifest, signingKey } from '../../../support/updaters/signed-manifest.ts'

const key = signingKey()

/** A build with a signed manifest. */
function build(version: string, members: Readonly<Record<string, unknown>> = {}) {
  const folder = temporaryFolder()
  const file = `Editor-${version}-x64.exe`
  const files = [{ url: file, sha512: sha512Base64(version), size: version.length }]
  const text = signedManifest({ version, files, releaseNotes: 'New', ...members }, key)
  writeBuild(folder, { [file]: version, 'latest.yml': text })
  const path = join(folder, 'latest.yml')
  const from = ['--from', path, '--url-base', 'https://downloads.example']
  return { path, text, from, content: Buffer.from(text).toString('base64') }
}

async function startApp() {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  await done(folder, 'channel', 'create', 'editor', 'beta')
  const addKey = ['app', 'proving', 'editor', '--document-key', `electron:${key.pem}`]
  return { folder, addKey, publish: ['publish', 'editor', 'stable'] }
}

test('a manifest that its publisher signed is kept with the release, and goes with it to another channel', async () => {
  const { folder, addKey, publish } = await startApp()
  const { proving } = await shown(folder, ...addKey)
  expect(proving.documentKeys).toEqual([expect.stringMatching(/^electron:[\w+/]{43}=$/)])
  const { from, content } = build('1.4.0')
  const documents = [{ updater: 'electron', name: 'latest.yml', content, checked: true }]
  const { release } = await shown(folder, ...publish, ...from, '--strict')
  expect(release).toMatchObject({ documents, artifacts: [{ platform: 'windows' }] })
  const check = await done(folder, 'release', 'check', 'editor', 'stable', '1.4.0')
  expect(check).toMatch(/Editor-1\.4\.0-x64\.exe \(nsis\); latest\.yml unchanged/)
  const asked = ['device', 'explain', 'editor', 'stable', 'one', '--version', '1.0.0']
  expect(await done(folder, ...asked, '--platform', 'windows', '--arch', 'x64')).toContain(
    'Apps with electron-updater get latest.yml unchanged.',
  )
  // What belongs to the document is not a member of its artifacts, too.
  expect(release.artifacts[0]).not.toHaveProperty('extra')
  const promoted = await shown(folder, 'promote', 'editor', 'stable', '1.4.0', '--to', 'beta')
  expect(promoted.release.documents).toEqual(documents)
})

test('a job that runs again finds the same document, or says that it differs', async () => {
  const { folder, publish } = await startApp()
  const { path, text, from } = build('1.4.0')
  const again = [...publish, ...from, '--if-exists', 'same-ok']
  await cli(folder, ...again)
  expect((await cli(folder, ...again)).code).toBe(0)
  writeFileSync(path, `${text}\n`)
  const { code, stderr } = await cli(folder, ...again)
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('differs: the documents that are served unchanged'),
  ])
})

test('without a key the signature is not checked, which a strict pipeline refuses', async () => {
  const { folder, publish } = await startApp()
  const { from } = build('1.4.0')
  const strict = await cli(folder, ...publish, ...from, '--strict')
  expect([strict.code, strict.stderr]).toEqual([
    2,
    'error: documents.0: The signature of latest.yml cannot be checked, because editor has no key for electron-builder\n',
  ])
  const { code, stderr } = await cli(folder, ...publish, ...from)
  expect([code, stderr]).toEqual([
    0,
    'warning: Signature not checked: latest.yml. Add the public key to the app.\n',
  ])
})

test('a wrong signature is refused by name, and publishes nothing', async () => {
  const { folder, addKey, publish } = await startApp()
  await done(folder, ...addKey)
  const { path, text, from } = build('1.4.0')
  writeFileSync(path, text.replace('size: 5', 'size: 0x5'))
  expect((await cli(folder, ...publish, ...from)).code).toBe(0)
  const other = build('1.5.0')
  writeFileSync(other.path, other.text.replace(/signature: ../g, 'signature: AB'))
  const { code, stderr } = await cli(folder, ...publish, ...other.from)
  expect([code, stderr]).toEqual([
    2,
    'error: documents.0: The signature of latest.yml was not made with a key of editor\n',
  ])
})

test('jobs add their signed manifests to a draft, which is published with them', async () => {
  const { folder, addKey, publish } = await startApp()
  await done(folder, ...addKey)
  const { path, from, content } = build('1.4.0', { stagingPercentage: 10 })
  const draft = await cli(folder, ...publish, ...from, '--draft')
  expect(draft.stderr).toBe(
    `warning: ${path} is served unchanged, with its limit of 10%: of the devices that are offered the release, the updater updates 10%.\n`,
  )
  const { release } = await shown(folder, 'draft', 'publish', 'editor', 'stable', '1.4.0')
  expect(release.documents).toEqual([
    { updater: 'electron', name: 'latest.yml', content, checked: true },
  ])
})

test('a backup has the document, and the key that verifies the next one', async () => {
  const { folder, addKey, publish } = await startApp()
  await done(folder, ...addKey)
  const { release } = await shown(folder, ...publish, ...build('1.4.0').from)
  const backup = join(temporaryFolder(), 'copy.db')
  await done(folder, 'backup', backup)
  await done(folder, 'app', 'proving', 'editor', '--remove-document-key', `electron:${key.pem}`)
  expect((await cli(folder, 'restore', backup)).code).toBe(0)
  const promoted = await shown(folder, 'promote', 'editor', 'stable', '1.4.0', '--to', 'beta')
  expect(promoted.release.documents).toEqual(release.documents)
  const { release: next } = await shown(folder, ...publish, ...build('1.5.0').from)
  expect(next.documents).toMatchObject([{ checked: true }])
})
