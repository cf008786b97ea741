import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { ada, ben, propose, startGuarded } from '../../../support/servers/guarded.ts'
import {
  artifactsOf,
  documentOf,
  KEY,
  key,
  sha512Of,
  signed,
  startWithKey,
} from '../../../support/servers/signed-release.ts'
import { signedManifest, signingKey } from '../../../support/updaters/signed-manifest.ts'

test('a release has a document for each kind of device, and no file of one name twice', async () => {
  const server = await startWithKey()
  const send = async (version: string, documents: unknown, artifacts = artifactsOf(version)) => {
    const body = publishBody(version, { artifacts, documents })
    return expectError(await server.call('POST', RELEASES, { body }), 400)
  }
  const twice = [documentOf(signed('1.0.0')), documentOf(signed('1.0.0'), { name: 'stable.yml' })]
  expect(await send('1.0.0', twice)).toBe(
    'documents.1: stable.yml and latest.yml are for the same devices',
  )
  expect(await send('1.0.1', [documentOf(signed('1.0.0'))])).toBe(
    'documents.0: latest.yml is for version 1.0.0, not 1.0.1',
  )
  const files = [{ url: 'Editor.exe', sha512: sha512Of('1.0.0') }]
  const text = (version: string) =>
    signedManifest({ version, files: [{ ...files[0], sha512: sha512Of(version) }] }, key)
  await publish(server, '1.0.0', {
    ...{ artifacts: artifactsOf('1.0.0'), documents: [documentOf(text('1.0.0'))] },
  })
  expect(await send('1.1.0', [documentOf(text('1.1.0'))])).toBe(
    'documents.0: latest.yml lists Editor.exe, but 1.0.0 on this channel has another file of this name; put the version into file names',
  )
  expect(await send('1.1.0', [documentOf(text('1.1.0'))], artifactsOf('1.0.0'))).toBe(
    'documents.0: latest.yml lists Editor.exe, and no artifact has the same checksum, size and URL',
  )
  const large = Buffer.alloc(262_147, ' ').toString('base64')
  expect(await send('1.1.0', [documentOf('', { content: large })])).toBe(
    'documents.0.content: must be at most 256 KiB',
  )
  expect(await send('1.1.0', Array(9).fill(documentOf(text('1.1.0'))))).toBe(
    'documents: must hold at most 8 documents',
  )
})

test('a second person applies a request with a signed manifest; a wrong one cannot be proposed', async () => {
  const { server } = await startGuarded()
  await server.updates.setProving(PRINCIPAL, { app: 'editor', change: KEY })
  const proposeSigned = (text: string) => {
    const members = { artifacts: artifactsOf('2.0.0'), documents: [documentOf(text)] }
    const body = PublishBody.parse(publishBody('2.0.0', members))
    const { app: _app, channel: _channel, version, ...content } = body
    return propose(server, { kind: 'publish', ...content }, ada, version)
  }
  const text = signed('2.0.0')
  await expect(proposeSigned(text.replace('size: 5', 'size: 6'))).rejects.toThrow('document_file')
  const id = await proposeSigned(text)
  await server.updates.applyChangeRequest(ben, { id, comment: '' })
  const served = await server.call('GET', '/electron/editor/stable/latest.yml', { key: null })
  expect(served.text).toBe(text.slice(1))
})

test('any key of the app, and any signature of a manifest, is enough while keys are changed', async () => {
  const server = await startWithKey()
  const other = signingKey()
  const send = async (version: string, text: string) => {
    const members = { artifacts: artifactsOf(version), documents: [documentOf(text)] }
    return await server.call('POST', RELEASES, { body: publishBody(version, members) })
  }
  expect((await send('1.0.0', signed('1.0.0', [other, key]))).status).toBe(201)
  // A manifest from before a second key could sign it has no list.
  const { signatures: _, ...single } = parse(signed('1.1.0').slice(1))
  expect((await send('1.1.0', stringify(single))).status).toBe(201)
  expect(expectError(await send('1.2.0', signed('1.2.0', [other])), 400)).toBe(
    'documents.0: The signature of latest.yml was not made with a key of editor',
  )
  // The ID of a key says which signature is its own.
  const swapped = signed('1.2.0')
    .replaceAll(key.id, other.id)
    .replace(/^signature: .*$/m, '')
  expect((await send('1.2.0', swapped)).status).toBe(400)
})
