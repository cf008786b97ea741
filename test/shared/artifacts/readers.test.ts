import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBuilderManifest } from '../../../src/shared/artifacts/documents/builder-manifest.ts'
import { readTauriManifest } from '../../../src/shared/artifacts/documents/tauri-manifest.ts'
import { readManifest } from '../../../src/shared/artifacts/dropped.ts'
import type { ImportResult } from '../../../src/shared/artifacts/imported.ts'
import { canonicalArch } from '../../../src/shared/devices/aliases.ts'
import { codePoint } from '../../support/builders/code-point.ts'

const BASE = 'https://downloads.example/'
const SHA512 = `${'A'.repeat(86)}==`

/** The files of a manifest that were read or named in a remark, by what the manifest calls them. */
function accounted(result: ImportResult): string[] {
  if (!result.ok) throw new Error(result.fault)
  const { artifacts, remarks } = result.release
  const skipped = remarks.flatMap((remark) =>
    remark.code === 'target_taken' || remark.code === 'unknown_platform' ? [remark.entry] : [],
  )
  return [...artifacts.map(({ listed }) => listed?.entry ?? ''), ...skipped].sort()
}

describe('the readers of manifests', () => {
  const anything = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .jsonValue()
      .map((value) => JSON.stringify({ version: '1.0.0', files: value, platforms: value })),
  )

  test('answer to any text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const result of [
          readBuilderManifest('latest.yml', text, BASE),
          readTauriManifest('latest.json', text),
        ]) {
          expect(typeof result.ok).toBe('boolean')
        }
      }),
    )
  })

  const word = fc.constantFrom(
    'Editor',
    'setup',
    'x64',
    'arm64',
    'armv7l',
    'arm',
    'ia32',
    'universal',
  )
  const fileName = fc
    .tuple(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('.exe', '.zip', '.dmg', '.AppImage', '.deb', '.rpm', '.msi'),
    )
    .map(([words, end]) => `${words.join('-')}${end}`)
  const names = fc.uniqueArray(fileName, { minLength: 1, maxLength: 6 })
  const manifestName = fc.constantFrom(
    ...['latest.yml', 'latest-mac.yml', 'latest-linux.yml', 'latest-linux-arm.yml'],
    ...['latest-linux-arm64.yml', 'beta-arm64-mac.yml', 'latest-ia32.yml'],
  )

  test('leave no file of electron-builder out without saying so', () => {
    fc.assert(
      fc.property(names, manifestName, (files, manifest) => {
        const listed = files.map((url) => ({ url, sha512: SHA512 }))
        const text = JSON.stringify({ version: '1.0.0', files: listed })
        expect(accounted(readBuilderManifest(manifest, text, BASE))).toEqual(files.toSorted())
      }),
    )
  })

  test('never take a file for 32-bit ARM for one of x64', () => {
    fc.assert(
      fc.property(names, (files) => {
        const listed = files
          .filter((url) => !/x64|arm64|ia32|universal/.test(url))
          .map((url) => ({ url, sha512: SHA512 }))
        fc.pre(listed.length > 0)
        const text = JSON.stringify({ version: '1.0.0', files: listed })
        const result = readBuilderManifest('latest-linux-arm.yml', text, BASE)
        if (!result.ok) throw new Error(result.fault)
        const arches = result.release.artifacts.map(({ arch }) => canonicalArch(arch))
        expect(new Set(arches)).toEqual(new Set(['armv7']))
      }),
    )
  })

  const key = fc
    .tuple(
      fc.constantFrom('linux', 'darwin', 'windows', 'macos', 'win64', 'beos'),
      fc.array(fc.constantFrom('x86_64', 'aarch64', 'universal', 'deb', 'msi', 'exe', 'tgz'), {
        maxLength: 3,
      }),
    )
    .map(([system, parts]) => [system, ...parts].join('-'))

  test('leave no platform of Tauri out without saying so, unless it is the same file once more', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fileName, { noNullPrototype: true }), (files) => {
        const platforms = Object.fromEntries(
          Object.entries(files).map(([name, file], index) => [
            name,
            { url: `${BASE}${index}/${file}`, signature: 'c2ln' },
          ]),
        )
        const text = JSON.stringify({ version: '1.0.0', platforms })
        expect(accounted(readTauriManifest('latest.json', text))).toEqual(
          Object.keys(platforms).sort(),
        )
      }),
    )
  })
})

test.each([
  ['RELEASES', 'https://cdn.example/a/Editor-1.4.0-full.nupkg?token=a&b=1', '1.4.0'],
  ['RELEASES', 'Editor-1.4.0-beta1-full.nupkg', '1.4.0-beta1'],
  // The name of a channel of Velopack is no pre-release.
  ['RELEASES-win-arm64', 'Editor-1.4.0-win-arm64-full.nupkg', '1.4.0'],
  ['RELEASES-beta', 'Editor-1.4.0-rc.1-beta-full.nupkg', '1.4.0-rc.1'],
])('%s has %s with its address, as %s', (name, address, version) => {
  const result = readManifest(name, `\uFEFF${'AB'.repeat(20)} ${address} 8\r\n`, BASE)
  expect(result).toMatchObject({
    ok: true,
    release: { version, artifacts: [{ url: new URL(address, BASE).href }] },
  })
})
