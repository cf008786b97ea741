import { describe, expect, it } from 'vitest'
import { readBuilderManifest } from '../../../../src/shared/artifacts/documents/builder-manifest.ts'
import { type ImportResult, missingRemarks } from '../../../../src/shared/artifacts/imported.ts'
import { remarkSentence } from '../../../../src/shared/wording/artifacts.ts'

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

  const listing = (...names: string[]) =>
    names.reduce(
      (text, name) => `${text}  - url: ${name}\n    sha512: ${HASH}\n`,
      'version: 1.0.0\nfiles:\n',
    )
  const targets = (manifest: string, ...names: string[]) =>
    imported(readBuilderManifest(manifest, listing(...names), '')).artifacts.map(
      ({ platform, arch, kind, listed }) => [platform, arch, kind, listed?.assumedArch],
    )

  it('keeps a combined installer for the architectures that have none of their own', () => {
    expect(targets('latest.yml', 'Editor.exe', 'Editor-x64.exe', 'Editor-arm64.exe')).toEqual([
      ['windows', 'any', 'nsis', ''],
      ['windows', 'x86_64', 'nsis', ''],
      ['windows', 'aarch64', 'nsis', ''],
    ])
  })

  it('says what it assumes where nothing names the architecture', () => {
    expect(targets('latest.yml', 'Editor Setup.exe')).toEqual([
      ['windows', 'x86_64', 'nsis', 'x86_64'],
    ])
    expect(targets('latest-mac.yml', 'Editor.zip')).toEqual([['darwin', 'any', 'zip', 'any']])
    // Only x64 reads this manifest.
    expect(targets('latest-linux.yml', 'editor.AppImage')).toEqual([
      ['linux', 'x86_64', 'appimage', ''],
    ])
  })

  it.each([
    ['latest-linux-arm.yml', 'armv7'],
    ['latest-linux-armv7l.yml', 'armv7'],
    ['beta-linux-arm64.yml', 'aarch64'],
    ['latest-linux-ia32.yml', 'i686'],
    ['latest-linux-riscv64.yml', 'riscv64'],
    ['latest-linux-ppc64.yml', 'ppc64'],
    ['latest-mac-arm64.yml', 'aarch64'],
    ['latest-arm64-mac.yml', 'aarch64'],
    ['latest-arm64.yml', 'aarch64'],
    ['latest-x64.yml', 'x86_64'],
  ])('takes the architecture from the name %s', (manifest, arch) => {
    const [target] = targets(manifest, 'editor.bin')
    expect(target?.slice(1)).toEqual([arch, '', ''])
  })

  it.each([
    ['my-mac-app.yml', 'Editor.zip', 'windows'],
    ['my-linux-app.yml', 'Editor.zip', 'windows'],
    ['my-mac.yml', 'Editor Setup.exe', 'windows'],
    ['my-mac-mac.yml', 'Editor.zip', 'darwin'],
    ['my-mac-linux-arm64.yml', 'Editor.tar.gz', 'linux'],
    ['my-mac-app-linux-s390x.yml', 'Editor.tar.gz', 'linux'],
    ['latest-linux.yml', 'Editor.exe', 'linux'],
  ])('takes a channel such as that of %s for no platform', (manifest, name, platform) => {
    expect(targets(manifest, name)[0]?.[0]).toBe(platform)
  })

  it('takes the architecture from the name of a file before that of the manifest', () => {
    expect(targets('latest-linux-arm64.yml', 'editor-1.0.0-armhf.deb')).toEqual([
      ['linux', 'armv7', 'deb', ''],
    ])
  })

  it('has the sizes that are texts as numbers', () => {
    const text = `version: 1.0.0\nfiles:\n  - url: a.zip\n    sha512: ${HASH}\n    size: '91421057'\n`
    expect(imported(readBuilderManifest('latest-mac.yml', text, '')).artifacts).toMatchObject([
      { size: '91421057' },
    ])
  })

  it('has no address where that is relative and the base is not given', () => {
    const { artifacts } = imported(readBuilderManifest('latest-mac.yml', mac, ''))
    expect(missingRemarks('latest-mac.yml', artifacts).map(remarkSentence)).toEqual([
      '2 of 3 artifacts in latest-mac.yml have no URL.',
    ])
  })

  it.each(['', 'files: []\n', 'files:\n'])(
    'is read in its older form with one file: %j',
    (files) => {
      const text = `version: 1.0.0\n${files}path: Setup.exe\nsha512: ${HASH}\n`
      const { artifacts } = imported(readBuilderManifest('latest.yml', text, 'https://dl.example'))
      expect(artifacts).toMatchObject([
        { platform: 'windows', arch: 'x86_64', kind: 'nsis', url: 'https://dl.example/Setup.exe' },
      ])
    },
  )

  it('is refused where aliases multiply what it says', () => {
    const doubled = Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)
    const text = ['a0: &a0 [x]', ...doubled, mac].join('\n')
    const refused = { ok: false, fault: 'not_electron_builder' }
    expect(readBuilderManifest('latest-mac.yml', text, 'https://dl.example')).toEqual(refused)
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
