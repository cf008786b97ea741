import { describe, expect, it } from 'vitest'
import {
  type ImportResult,
  missingRemarks,
} from '../../../../src/renderer/releases/artifacts/imported.ts'
import { remarkSentence } from '../../../../src/renderer/releases/artifacts/strings.ts'
import { readTauriManifest } from '../../../../src/renderer/releases/artifacts/tauri-manifest.ts'

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
    const release = imported(readTauriManifest('latest.json', JSON.stringify(manifest)))
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
    expect(release.remarks.map(remarkSentence)).toEqual([
      'latest.json: beos-ppc was skipped. Its platform is unknown.',
      'latest.json: darwin-aarch64-app was skipped. darwin-aarch64 already serves darwin aarch64.',
    ])
  })

  it('says that the SHA-512 is missing', () => {
    const { artifacts } = imported(readTauriManifest('latest.json', JSON.stringify(manifest)))
    expect(missingRemarks('latest.json', artifacts).map(remarkSentence)).toEqual([
      'latest.json: all artifacts have no SHA-512.',
    ])
  })

  it('is read with a byte order mark in front', () => {
    expect(readTauriManifest('latest.json', `\uFEFF${JSON.stringify(manifest)}`).ok).toBe(true)
  })

  it.each(['{', '[]', '{"version":"1.0.0","url":"https://dl.example/x","signature":""}'])(
    'is refused with a reason: %s',
    (text) => {
      const result = readTauriManifest('latest.json', text)
      expect(result).toEqual({ ok: false, fault: expect.stringMatching(/^not_/) })
    },
  )
})

function imported(result: ImportResult) {
  if (!result.ok) throw new Error(result.fault)
  return result.release
}
