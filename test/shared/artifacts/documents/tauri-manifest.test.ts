import { describe, expect, it } from 'vitest'
import { readTauriManifest } from '../../../../src/shared/artifacts/documents/tauri-manifest.ts'
import { type ImportResult, missingRemarks } from '../../../../src/shared/artifacts/imported.ts'
import { remarkSentence } from '../../../../src/shared/wording/artifacts.ts'

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

  it('with one platform twice says that updaters read the last one', () => {
    const entry = (url: string) => `"linux-x86_64":\t{ "signature": "c2ln", "url": "${url}" }`
    const twice = `\uFEFF{ "version": "1.0.0",\r\n\t"platforms": { ${entry('https://a.example/1')}, ${entry('https://a.example/2')} } }`
    const release = imported(readTauriManifest('latest.json', twice))
    expect(release.artifacts.map(({ url }) => url)).toEqual(['https://a.example/2'])
    expect(release.remarks.filter(({ code }) => code === 'named_twice')).toEqual([
      { code: 'named_twice', manifest: 'latest.json', entry: 'linux-x86_64' },
    ])
    const once = imported(readTauriManifest('latest.json', JSON.stringify(manifest)))
    expect(once.remarks.map(({ code }) => code)).not.toContain('named_twice')
  })

  it('has addresses encoded as the plugin requests them', () => {
    const url = 'https://dl.example/My Editor_\u00e9.app.tar.gz'
    const platforms = { 'darwin-aarch64': { signature: 'c2ln', url } }
    const text = JSON.stringify({ version: '1.4.0', platforms })
    const [row] = imported(readTauriManifest('latest.json', text)).artifacts
    expect(row?.url).toBe('https://dl.example/My%20Editor_%C3%A9.app.tar.gz')
  })

  it('gives one artifact a platform, arch and kind', () => {
    const release = imported(readTauriManifest('latest.json', JSON.stringify(manifest)))
    expect(release.version).toBe('v1.4.0')
    expect(release.notes).toBe('- faster')
    expect(
      release.artifacts.map(({ platform, arch, kind, url, signature }) => [
        ...[platform, arch, kind],
        ...[url, signature],
      ]),
    ).toEqual([
      ['darwin', 'aarch64', '', 'https://dl.example/a.tar.gz', 'c2ln'],
      ['darwin', 'aarch64', 'app', 'https://dl.example/b.tar.gz', 'b3RoZXI='],
      ['windows', 'x86_64', 'nsis', 'https://dl.example/setup.exe', 'c2ln'],
    ])
    expect(release.remarks.map(remarkSentence)).toEqual([
      'latest.json: beos-ppc was skipped. Its platform is unknown.',
    ])
  })

  it('leaves out an entry for older plugins where it is the usual bundle, and keeps another one', () => {
    const files = { nsis: 'setup.exe', msi: 'editor.msi' } as const
    const entries = (plain: string, bundles: readonly (keyof typeof files)[] = ['nsis', 'msi']) => {
      const named = bundles.map((bundle) => [`-${bundle}`, files[bundle]] as const)
      const platforms = [['', plain] as const, ...named].map(([end, file]) => [
        `windows-x86_64${end}`,
        { url: `https://dl.example/${file}` },
      ])
      const text = JSON.stringify({ version: '1.0.0', platforms: Object.fromEntries(platforms) })
      const { artifacts, remarks } = imported(readTauriManifest('latest.json', text))
      expect(remarks).toEqual([])
      return artifacts.map(({ kind, url }) => `${kind} ${url.slice(19)}`)
    }
    expect(entries('setup.exe')).toEqual(['nsis setup.exe', 'msi editor.msi'])
    expect(entries('editor.msi')).toEqual([' editor.msi', 'nsis setup.exe', 'msi editor.msi'])
    // Installed from an .msi, an app gets the other bundle where there is none of its own.
    expect(entries('setup.exe', ['nsis'])).toEqual([' setup.exe', 'nsis setup.exe'])
  })

  it('says that the SHA-512 is missing', () => {
    const { artifacts } = imported(readTauriManifest('latest.json', JSON.stringify(manifest)))
    expect(missingRemarks('latest.json', artifacts).map(remarkSentence)).toEqual([
      'No artifact in latest.json has a SHA-512.',
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
