import { describe, expect, it } from 'vitest'
import {
  type ImportResult,
  missingRemarks,
} from '../../../../src/renderer/releases/artifacts/imported.ts'
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

function imported(result: ImportResult) {
  if (!result.ok) throw new Error(result.reason)
  return result.release
}
