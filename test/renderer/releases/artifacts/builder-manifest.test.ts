import { describe, expect, it } from 'vitest'
import { readBuilderManifest } from '../../../../src/renderer/releases/artifacts/builder-manifest.ts'
import {
  type ImportResult,
  missingRemarks,
} from '../../../../src/renderer/releases/artifacts/imported.ts'
import { remarkSentence } from '../../../../src/renderer/releases/artifacts/strings.ts'

const HASH = `${'A'.repeat(86)}==`

describe('an electron-builder manifest', () => {
  const mac = [
    'version: 1.4.0',
    'files:',
    '  - url: Editor-1.4.0-mac.zip',
    `    sha512: ${HASH}`,
    '    size: 12345',
    '  - url: Editor-1.4.0.dmg',
    `    sha512: ${HASH}`,
    '    size: 23456',
    '  - url: https://cdn.example/Editor-1.4.0-arm64-mac.zip',
    `    sha512: ${HASH}`,
    "releaseDate: '2026-03-14T09:26:53.000Z'",
    'releaseNotes: Faster',
  ].join('\n')

  it('prefers the file that the updater of the platform takes', () => {
    const release = imported(readBuilderManifest('latest-mac.yml', mac, 'https://dl.example/files'))
    expect(
      release.artifacts.map(({ platform, arch, url, sha512, size }) => ({
        platform,
        arch,
        url,
        sha512,
        size,
      })),
    ).toEqual([
      {
        platform: 'darwin',
        arch: 'x86_64',
        url: 'https://dl.example/files/Editor-1.4.0-mac.zip',
        sha512: HASH,
        size: '12345',
      },
      {
        platform: 'darwin',
        arch: 'aarch64',
        url: 'https://cdn.example/Editor-1.4.0-arm64-mac.zip',
        sha512: HASH,
        size: '',
      },
    ])
    expect(release.notes).toBe('Faster')
    expect(release.remarks.map(remarkSentence)).toEqual([
      'latest-mac.yml: Editor-1.4.0.dmg was skipped. Editor-1.4.0-mac.zip already serves darwin x86_64.',
    ])
  })

  it('has no address where that is relative and the base is not given', () => {
    const { artifacts } = imported(readBuilderManifest('latest-mac.yml', mac, ''))
    expect(missingRemarks('latest-mac.yml', artifacts).map(remarkSentence)).toEqual([
      'latest-mac.yml: 1 of 2 artifacts has no URL.',
    ])
  })

  it('is read in its older form with one file', () => {
    const text = `version: 1.0.0\npath: Setup.exe\nsha512: ${HASH}\n`
    const { artifacts } = imported(readBuilderManifest('latest.yml', text, 'https://dl.example'))
    expect(artifacts).toMatchObject([
      { platform: 'windows', arch: 'x86_64', url: 'https://dl.example/Setup.exe' },
    ])
  })

  it('takes the arch from its own name where the files name none', () => {
    const text = `version: 1.0.0\nfiles:\n  - url: Editor.AppImage\n    sha512: ${HASH}\n`
    const { artifacts } = imported(readBuilderManifest('latest-linux-arm64.yml', text, ''))
    expect(artifacts).toMatchObject([{ platform: 'linux', arch: 'aarch64' }])
  })

  it.each(['a: [', 'version: 1.0.0', 'version: 1.0.0\nfiles: []'])('is refused: %s', (text) => {
    expect(readBuilderManifest('latest.yml', text, '').ok).toBe(false)
  })
})

function imported(result: ImportResult) {
  if (!result.ok) throw new Error(result.fault)
  return result.release
}
