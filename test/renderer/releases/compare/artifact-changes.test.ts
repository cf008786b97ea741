import { expect, test } from 'vitest'
import { artifactChanges, detailsText } from '../../../../src/renderer/releases/compare/changes.ts'
import { Artifact } from '../../../../src/shared/releases/release.ts'
import {
  artifact as artifactOf,
  SHA512_BASE64,
  SHA512_HEX,
} from '../../../support/builders/releases.ts'

const artifact = (members: Readonly<Record<string, unknown>> = {}) =>
  Artifact.parse(artifactOf(members))

const shown = (from: readonly Artifact[], to: readonly Artifact[]) =>
  artifactChanges(from, to).map(({ key, kind, parts }) => [key, kind, [...parts]])

test('artifacts are compared by platform and architecture, in any order and spelling', () => {
  const linux = artifact({ platform: 'linux', arch: 'x86_64' })
  const mac = artifact({ platform: 'darwin', arch: 'aarch64' })
  const sameMac = artifact({ platform: 'macos', arch: 'arm64' })
  expect(shown([linux, mac], [sameMac, linux])).toEqual([
    ['darwin/aarch64', 'same', []],
    ['linux/x86_64', 'same', []],
  ])
})

test('an artifact that only one release has is added or removed, with what is given of it', () => {
  const linux = artifact({ platform: 'linux', arch: 'x86_64', size: 12 })
  const windows = artifact({ platform: 'windows', arch: 'x86_64', signature: 'sig' })
  expect(shown([linux], [windows])).toEqual([
    ['linux/x86_64', 'removed', ['url', 'size', 'sha512']],
    ['windows/x86_64', 'added', ['url', 'sha512', 'signature']],
  ])
})

test('what differs of an artifact is named', () => {
  const other = { url: 'https://downloads.example/2', sha512: 'cd'.repeat(64), signature: 'sig' }
  expect(shown([artifact({ size: 1 })], [artifact({ size: 1, ...other })])).toEqual([
    ['darwin/aarch64', 'changed', ['url', 'sha512', 'signature']],
  ])
  expect(shown([artifact()], [artifact({ size: 5 })])).toEqual([
    ['darwin/aarch64', 'changed', ['size']],
  ])
})

test('what a manifest says of a file can be all that differs', () => {
  const [old, young] = [{ minimumSystemVersion: '22.0.0' }, { minimumSystemVersion: '23.0.0' }]
  expect(shown([artifact(old)], [artifact(young)])).toEqual([
    ['darwin/aarch64', 'changed', ['details']],
  ])
  expect(shown([artifact(old)], [artifact(old)])).toEqual([['darwin/aarch64', 'same', []]])
  expect(detailsText(artifact({ ...old, isAdminRightsRequired: true }))).toBe(
    'minimumSystemVersion: "22.0.0", isAdminRightsRequired: true',
  )
})

test('a hash is the same in hex and in base64', () => {
  const hashes = [SHA512_HEX, SHA512_HEX.toUpperCase(), SHA512_BASE64]
  for (const sha512 of hashes) {
    expect(shown([artifact()], [artifact({ sha512 })]), sha512).toEqual([
      ['darwin/aarch64', 'same', []],
    ])
  }
})
