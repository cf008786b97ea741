import {
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js'
import { stringify } from 'yaml'

type Members = Readonly<Record<string, unknown>>

/** A key pair as `electron-builder create-update-key` makes it. `id`: the SHA-256 of the public key, in hex. */
export interface SigningKey {
  readonly secret: KeyObject
  readonly pem: string
  readonly id: string
}

export function signingKey(): SigningKey {
  const { publicKey, privateKey: secret } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const id = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }))
  return { secret, pem, id }
}

/**
 * What electron-builder signs (EBUM1), by its documentation of `canonicalizeForSigning`: JSON texts, bare numbers, nothing for
 * what is absent; a record a line, fields separated by tabs, files and packages sorted.
 */
function canonical(manifest: Members): Buffer {
  const lists = { files: [], packages: {}, ...manifest }
  const json = (value: unknown) =>
    value === undefined || value === null ? '' : JSON.stringify(value)
  const line = (members: Members, ...names: string[]) =>
    names.map((name) => json(members[name])).join('\t')
  const { version, stagingPercentage, minimumSystemVersion } = manifest
  return Buffer.from(
    [
      'EBUM1',
      `version:${json(version)}`,
      `staging:${json(stagingPercentage)}`,
      `minimumSystemVersion:${json(minimumSystemVersion)}`,
      ...lists.files.map((file) => `file:${line(file, 'url', 'sha512', 'size')}`).sort(),
      ...Object.entries<Members>(lists.packages)
        .map(([arch, each]) => {
          const { isAdminRightsRequired } = each
          const fields = line(each, 'path', 'sha512', 'size', 'blockMapSize')
          return `package:${json(arch)}\t${fields}\t${isAdminRightsRequired === true ? 1 : ''}`
        })
        .sort(),
    ].join('\n'),
  )
}

/** Returns a manifest as electron-builder writes it: `signature` is that of the first key, `signatures` has all. */
export function signedManifest(manifest: Members, ...keys: readonly SigningKey[]): string {
  const signatures = keys.map(({ id, secret }) => {
    return { keyId: id, signature: sign(null, canonical(manifest), secret).toString('base64') }
  })
  return stringify(
    { ...manifest, signature: signatures[0]?.signature, signatures },
    { lineWidth: 0 },
  )
}

/** Returns whether an app that trusts a key accepts a manifest, which the parser of electron-updater reads. */
export function isAccepted(text: string, { pem, id }: Pick<SigningKey, 'pem' | 'id'>): boolean {
  let manifest: Members
  try {
    manifest = { ...parseUpdateInfo(text, 'latest.yml', new URL('https://updates.example')) }
  } catch {
    return false
  }
  const { signature, signatures = [] } = manifest as {
    readonly signature?: string
    readonly signatures?: readonly { readonly keyId?: string; readonly signature: string }[]
  }
  const candidates = [
    ...signatures.filter(({ keyId = id }) => keyId === id).map((each) => each.signature),
    ...(signature === undefined ? [] : [signature]),
  ]
  const data = canonical(manifest)
  return candidates.some((each) => {
    return verify(null, data, createPublicKey(pem), Buffer.from(each, 'base64'))
  })
}
