import { describe, expect, it, test } from 'vitest'
import { type ArtifactDraft, newArtifact } from '../../../src/shared/artifacts/artifact.ts'
import { isInstaller, otherVersionIn } from '../../../src/shared/artifacts/file-name.ts'
import { artifactWarnings } from '../../../src/shared/artifacts/warnings.ts'

const listed = {
  format: 'electron_builder',
  manifest: 'latest.yml',
  version: '6.0.0',
  entry: 'Editor.exe',
  sha512: '',
  assumedArch: '',
} as const
const row = (url: string, parts: Partial<ArtifactDraft> = {}) => newArtifact({ url, ...parts })
const codes = (rows: readonly ArtifactDraft[], version: string) =>
  artifactWarnings(rows, version).map(({ code }) => code)

describe('files of another version', () => {
  it('are told by their manifest', () => {
    const rows = [row('https://dl.example/Editor.exe', { listed })]
    expect(artifactWarnings(rows, '6.1.0')).toEqual([
      { code: 'manifest_version', manifest: 'latest.yml', found: '6.0.0' },
    ])
    expect(artifactWarnings(rows, '6.0.0+build.7')).toEqual([])
  })

  it('are told by manifests that differ, while no version is typed', () => {
    const other = { ...listed, manifest: 'latest-mac.yml', version: 'v6.1.0' }
    const rows = [
      row('https://a.example/a', { listed }),
      row('https://a.example/b', { listed: other }),
    ]
    expect(artifactWarnings(rows, ' ')).toEqual([
      { code: 'manifest_version', manifest: 'latest-mac.yml', found: '6.1.0' },
    ])
  })

  it('are told by their name, or the folder they are in', () => {
    expect(artifactWarnings([row('https://dl.example/Editor-6.0.0.exe')], '6.1.0')).toEqual([
      { code: 'file_version', file: 'Editor-6.0.0.exe', found: '6.0.0' },
    ])
    expect(codes([row('https://dl.example/v6.0.0/Editor.exe')], '6.1.0')).toEqual(['file_version'])
    expect(codes([row('https://dl.example/6.0.0/Editor-6.1.0.exe')], '6.1.0')).toEqual([])
  })
})

test('a floor that cannot be compared is named, with the file', () => {
  const on = (platform: string, minimumSystemVersion: string) =>
    row('https://dl.example/Editor.dmg', { platform, details: { minimumSystemVersion } })
  for (const [platform, floor] of [
    ...[['macos', '23.4.0'] as const, ['macos', '14.4'] as const, ['', 'Sonoma'] as const],
    ...[['win32', '10.0.22000'] as const, ['linux', '5.15'] as const],
  ]) {
    expect(codes([on(platform, floor)], '6.1.0'), floor).toEqual([])
  }
  expect(artifactWarnings([on('macos', 'Sonoma')], '6.1.0')).toEqual([
    { code: 'floor_unreadable', file: 'Editor.dmg', platform: 'macos', floor: 'Sonoma' },
  ])
  expect(codes([on('windows', '2022')], '6.1.0')).toEqual(['floor_unreadable'])
})

test.each([
  ['Editor-6.1.0-mac.zip', '6.1.0', undefined],
  ['Editor_6.1.0.0_x64.msi', '6.1.0', undefined],
  ['Editor-6.1.0-macos-10.15.7.dmg', '6.1.0', undefined],
  ['Editor-v6.0.9-arm64.dmg', '6.1.0', '6.0.9'],
  ['Editor-6.1.0-beta.2.exe', '6.1.0-beta.2', undefined],
  ['Editor_6.1.0~beta2_amd64.deb', '6.1.0-beta.2', undefined],
  ['Editor-6.1.0-beta.1.exe', '6.1.0-beta.2', '6.1.0-beta.1'],
  ['Editor-6.1.0-rc.1.exe', '6.1.0', '6.1.0-rc.1'],
  ['Editor-6.1.0.exe', '6.1.0-beta.2', undefined],
  ['Editor.exe', '6.1.0', undefined],
  ['Editor-6.0.0.exe', 'not a version', undefined],
])('%s, published as %s, contradicts it with %s', (name, version, found) => {
  expect(otherVersionIn(name, version)).toBe(found)
})

describe('built files', () => {
  const built = (name: string, size = 1) => newArtifact({ file: { name, size } })

  it('that are empty or no installers are told', () => {
    expect(artifactWarnings([built('Editor.exe', 0), built('notes.txt')], '1.0.0')).toEqual([
      { code: 'empty_file', file: 'Editor.exe' },
      { code: 'not_an_installer', file: 'notes.txt' },
    ])
  })

  it('that are not what their manifest describes are told', () => {
    const hex = 'ab'.repeat(64)
    const base64 = Buffer.from(hex, 'hex').toString('base64')
    const file = { name: 'Editor.exe', size: 1 }
    const made = (sha512: string) => [
      newArtifact({ file, sha512, listed: { ...listed, sha512: base64 } }),
    ]
    expect(codes(made('cd'.repeat(64)), '6.0.0')).toEqual(['hash_differs'])
    expect(codes(made(hex), '6.0.0')).toEqual([])
    expect(codes(made(''), '6.0.0')).toEqual([])
  })

  it('whose signature updaters refuse for its form are told', () => {
    const signed = (name: string, signature: string) =>
      row(`https://a.example/${name}`, { signature })
    const wrapped = `${'A'.repeat(44)}\n${'A'.repeat(42)}==`
    const text = 'untrusted comment: a\nb\ntrusted comment: c\nd'
    expect(
      artifactWarnings(
        [
          ...[signed('a.dmg', wrapped), signed('b.msi', text), signed('c.zip', text)],
          signed('d.nupkg', `${'0'.repeat(40)} d.nupkg 7`),
        ],
        '',
      ),
    ).toEqual([
      { code: 'signature_form', file: 'a.dmg', manifest: '', fault: 'wrapped' },
      { code: 'signature_form', file: 'b.msi', manifest: '', fault: 'not_encoded' },
    ])
  })

  it('that Tauri installs only with a signature are told together, except for Electron', () => {
    const rows = [row('https://a.example/a.msi'), row('https://a.example/b-setup.exe')]
    expect(artifactWarnings(rows, '')).toEqual([
      { code: 'unsigned', files: ['a.msi', 'b-setup.exe'] },
    ])
    expect(codes([...rows, row('https://a.example/c.zip', { listed })], '6.0.0')).toEqual([])
  })
})

test.each(['Editor.dmg', 'Editor.app.tar.gz', 'editor.AppImage', 'e.tar.zst'])(
  '%s is an installer',
  (name) => expect(isInstaller(name)).toBe(true),
)

test.each(['README', 'notes.md', 'Editor.exe.sha256', 'builder-debug.txt', 'Editor.pdb'])(
  '%s is no installer',
  (name) => expect(isInstaller(name)).toBe(false),
)
