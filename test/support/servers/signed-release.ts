import { hash } from 'node:crypto'
import { DocumentKey } from '../../../src/shared/files/signed-document.ts'
import { PRINCIPAL } from '../builders/actor.ts'
import { type SigningKey, signedManifest, signingKey } from '../updaters/signed-manifest.ts'
import { publish } from './calls.ts'
import { startWithApp, type TestServer } from './server.ts'

export const BASE = 'https://downloads.example/editor/'
/** The key of the publisher, and a change of the proving settings that adds it. */
export const key = signingKey()
export const KEY = { documentKeys: [DocumentKey.parse(`electron:${key.pem}`)] }

export const sha512Of = (content: string) => hash('sha512', content, 'base64')

export function manifestOf(version: string, members: Readonly<Record<string, unknown>> = {}) {
  const name = `Editor Setup ${version}.exe`
  const file = { url: name, sha512: sha512Of(version), size: version.length }
  const plain = { version, files: [file], path: name, sha512: file.sha512 }
  return { ...plain, releaseDate: '2026-11-01T10:00:00.000Z', ...members }
}

export const artifactsOf = (version: string) => [
  {
    ...{ platform: 'windows', arch: 'x86_64', kind: 'nsis' },
    url: `${BASE}${encodeURIComponent(`Editor Setup ${version}.exe`)}`,
    ...{ sha512: sha512Of(version), size: version.length },
  },
]

export const documentOf = (text: string, members: Readonly<Record<string, unknown>> = {}) => ({
  ...{ updater: 'electron', name: 'latest.yml', content: Buffer.from(text).toString('base64') },
  ...members,
})

/** As an editor on Windows would leave it: with a byte order mark, carriage returns, and comments. */
export const signed = (version: string, keys: readonly SigningKey[] = [key]) =>
  `\uFEFF# Do not edit\r\n${signedManifest(manifestOf(version), ...keys).replaceAll('\n', '\r\n')}`

/** A server with the public key of `key`. */
export async function startWithKey() {
  const server = await startWithApp()
  await server.updates.setProving(PRINCIPAL, { app: 'editor', change: KEY })
  return server
}

/** Publishes a version with a signed `latest.yml`. */
export async function publishSigned(
  server: TestServer,
  version: string,
  members: Readonly<Record<string, unknown>> = {},
) {
  const text = signed(version)
  const documents = [documentOf(text)]
  const release = await publish(server, version, {
    ...{ artifacts: artifactsOf(version), documents },
    ...members,
  })
  return { text, id: release.id as string, release }
}
