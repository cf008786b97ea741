import { describe, expect, it } from 'vitest'
import { readBuilderManifest } from '../../../src/shared/artifacts/builder-manifest.ts'
import { type ImportResult, missingRemarks } from '../../../src/shared/artifacts/imported.ts'
import { remarkSentence } from '../../../src/shared/wording/artifacts.ts'

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

  it('gives one artifact a platform, arch and kind', () => {
    const release = imported(readBuilderManifest('latest-mac.yml', mac, 'https://dl.example/files'))
    expect(
      release.artifacts.map(({ platform, arch, kind, url, sha512, size }) => ({
        platform,
        arch,
        kind,
        url,
        sha512,
        size,
      })),
    ).toEqual([
      {
        platform: 'darwin',
        arch: 'x86_64',
        kind: 'zip',
        url: 'https://dl.example/files/Editor-1.4.0-mac.zip',
        sha512: HASH,
        size: '12345',
      },
      {
        platform: 'darwin',
        arch: 'x86_64',
        kind: 'dmg',
        url: 'https://dl.example/files/Editor-1.4.0.dmg',
        sha512: HASH,
        size: '23456',
      },
      {
        platform: 'darwin',
        arch: 'aarch64',
        kind: 'zip',
        url: 'https://cdn.example/Editor-1.4.0-arm64-mac.zip',
        sha512: HASH,
        size: '',
      },
    ])
    expect(release.notes).toBe('Faster')
    expect(release.remarks).toEqual([])
  })

  it('prefers an installer for one arch to the one that is combined', () => {
    const text = ['version: 1.0.0', 'files:']
    for (const name of ['Editor.exe', 'Editor-x64.exe']) {
      text.push(`  - url: ${name}`, `    sha512: ${HASH}`)
    }
    const release = imported(readBuilderManifest('latest.yml', text.join('\n'), ''))
    expect(release.artifacts).toMatchObject([{ relative: 'Editor-x64.exe', kind: 'nsis' }])
    expect(release.remarks.map(remarkSentence)).toEqual([
      'latest.yml: Editor.exe was skipped. Editor-x64.exe already serves windows x86_64 nsis.',
    ])
  })

  it('has no address where that is relative and the base is not given', () => {
    const { artifacts } = imported(readBuilderManifest('latest-mac.yml', mac, ''))
    expect(missingRemarks('latest-mac.yml', artifacts).map(remarkSentence)).toEqual([
      'latest-mac.yml: 2 of 3 artifacts have no URL.',
    ])
  })

  it('is read in its older form with one file', () => {
    const text = `version: 1.0.0\npath: Setup.exe\nsha512: ${HASH}\n`
    const { artifacts } = imported(readBuilderManifest('latest.yml', text, 'https://dl.example'))
    expect(artifacts).toMatchObject([
      { platform: 'windows', arch: 'x86_64', kind: 'nsis', url: 'https://dl.example/Setup.exe' },
    ])
  })

  it('takes the arch from its own name where the files name none', () => {
    const text = `version: 1.0.0\nfiles:\n  - url: Editor.AppImage\n    sha512: ${HASH}\n`
    const { artifacts } = imported(readBuilderManifest('latest-linux-arm64.yml', text, ''))
    expect(artifacts).toMatchObject([{ platform: 'linux', arch: 'aarch64', kind: 'appimage' }])
  })

  it.each(['a: [', 'version: 1.0.0', 'version: 1.0.0\nfiles: []'])('is refused: %s', (text) => {
    expect(readBuilderManifest('latest.yml', text, '').ok).toBe(false)
  })
})

function imported(result: ImportResult) {
  if (!result.ok) throw new Error(result.fault)
  return result.release
}
