import { describe, expect, it } from 'vitest'
import {
  baseAddressIssue,
  completeAddress,
} from '../../../../src/renderer/releases/artifacts/address.ts'
import { readBuilderManifest } from '../../../../src/renderer/releases/artifacts/builder-manifest.ts'
import { guessTarget } from '../../../../src/renderer/releases/artifacts/guess.ts'
import {
  type ImportResult,
  missingRemarks,
} from '../../../../src/renderer/releases/artifacts/imported.ts'
import { readTauriManifest } from '../../../../src/renderer/releases/artifacts/tauri-manifest.ts'

const HASH = `${'A'.repeat(86)}==`

describe('a Tauri manifest', () => {
  const manifest = {
    version: 'v1.4.0',
    notes: '- faster',
    pub_date: '2026-03-14T09:26:53Z',
    platforms: {
      'darwin-aarch64': { signature: 'c2ln', url: 'https://dl.example/a.tar.gz' },
      'darwin-aarch64-app': { signature: 'b3RoZXI=', url: 'https://dl.example/b.tar.gz' },
      'windows-x86_64-nsis': { signature: 'c2ln', url: 'https://dl.example/setup.exe' },
      'beos-ppc': { url: 'https://dl.example/beos' },
    },
  }

  it('gives one artifact a platform and arch, the plain name first', () => {
    const release = imported(readTauriManifest(JSON.stringify(manifest)))
    expect(release.version).toBe('v1.4.0')
    expect(release.notes).toBe('- faster')
    expect(
      release.artifacts.map(({ platform, arch, url, signature }) => [
        platform,
        arch,
        url,
        signature,
      ]),
    ).toEqual([
      ['darwin', 'aarch64', 'https://dl.example/a.tar.gz', 'c2ln'],
      ['windows', 'x86_64', 'https://dl.example/setup.exe', 'c2ln'],
    ])
    expect(release.remarks).toEqual([
      'The platform beos-ppc is left out: its name is not known.',
      'darwin-aarch64-app is left out: darwin-aarch64 serves darwin aarch64.',
    ])
  })

  it('says that the SHA-512 is missing', () => {
    const { artifacts } = imported(readTauriManifest(JSON.stringify(manifest)))
    expect(missingRemarks(artifacts)).toEqual(['The SHA-512 is missing in every artifact.'])
  })

  it('is read with a byte order mark in front', () => {
    expect(readTauriManifest(`\uFEFF${JSON.stringify(manifest)}`).ok).toBe(true)
  })

  it.each(['{', '[]', '{"version":"1.0.0","url":"https://dl.example/x","signature":""}'])(
    'is refused with a reason: %s',
    (text) => {
      const result = readTauriManifest(text)
      expect(result).toEqual({ ok: false, reason: expect.stringMatching(/^The file is not/) })
    },
  )
})

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
    expect(release.remarks).toEqual([
      'Editor-1.4.0.dmg is left out: Editor-1.4.0-mac.zip serves darwin x86_64.',
    ])
  })

  it('has no address where that is relative and the base is not given', () => {
    const { artifacts } = imported(readBuilderManifest('latest-mac.yml', mac, ''))
    expect(missingRemarks(artifacts)).toEqual(['The address is missing in 1 of 2.'])
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

describe('the guess from a file name', () => {
  it.each([
    ['Editor_1.4.0_aarch64.app.tar.gz', 'darwin', 'aarch64'],
    ['Editor-1.4.0-arm64-mac.zip', 'darwin', 'aarch64'],
    ['Editor_1.4.0_universal.dmg', 'darwin', 'any'],
    ['editor_1.4.0_amd64.AppImage', 'linux', 'x86_64'],
    ['editor-1.4.0-linux-armv7l.tar.gz', 'linux', 'armv7'],
    ['Editor_1.4.0_x64-setup.exe', 'windows', 'x86_64'],
    ['Editor_1.4.0_x64_en-US.msi', 'windows', 'x86_64'],
    ['editor-win32-ia32.zip', 'windows', 'i686'],
    ['Editor Setup 1.4.0.exe', 'windows', ''],
    ['darwinia.bin', '', ''],
  ])('%s', (name, platform, arch) => {
    expect(guessTarget(name)).toEqual({ platform, arch })
  })
})

describe('the address of a file', () => {
  it('follows the folder, with or without its last slash, percent-encoded', () => {
    const address = 'https://dl.example/1.4.0/Editor%20Setup%231.exe'
    expect(completeAddress('https://dl.example/1.4.0', 'Editor%20Setup%231.exe')).toBe(address)
    expect(completeAddress('https://dl.example/1.4.0/', 'Editor%20Setup%231.exe')).toBe(address)
  })

  it('is empty without a folder that can be used', () => {
    expect(completeAddress('', 'a.exe')).toBe('')
    expect(completeAddress('file:///tmp', 'a.exe')).toBe('')
    expect(baseAddressIssue('file:///tmp')).toMatch(/^Must be/)
    expect(baseAddressIssue('')).toBe('')
  })
})

function imported(result: ImportResult) {
  if (!result.ok) throw new Error(result.reason)
  return result.release
}
