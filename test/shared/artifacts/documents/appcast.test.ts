import { expect, test } from 'vitest'
import { readAppcast } from '../../../../src/shared/artifacts/documents/appcast.ts'

const ED = `${'E'.repeat(86)}==`

interface Item {
  readonly build: string
  readonly short?: string
  readonly file?: string
  readonly os?: string
  readonly more?: string
}

function appcastOf(...items: readonly Item[]): string {
  const written = items.map(({ build, short, file = `Editor-${build}.zip`, os, more = '' }) => {
    const named = short && `<sparkle:shortVersionString>${short}</sparkle:shortVersionString>`
    const system = os === undefined ? '' : ` sparkle:os="${os}"`
    return `<item><sparkle:version>${build}</sparkle:version>${named ?? ''}${more}
<enclosure url="${file}" length="8" type="application/octet-stream"${system} sparkle:edSignature="${ED}"/></item>`
  })
  return `<?xml version="1.0"?>
<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0"><channel>
${written.join('\n')}</channel></rss>`
}

function read(text: string) {
  const result = readAppcast('appcast.xml', text, 'https://a.example/')
  if (!result.ok) throw new Error(result.fault)
  const { version, artifacts, remarks } = result.release
  const files = artifacts.map(({ platform, arch, url }) => [platform, arch, url])
  return { version, files, remarks }
}

test('generate_appcast lists every version: the highest, as Sparkle orders them, is read', () => {
  const items = [
    { build: '99', short: '0.9.0', more: '<sparkle:channel>beta</sparkle:channel>' },
    { build: '260', short: '1.4.0' },
    { build: '100', short: '1.0.0' },
  ]
  const only = {
    version: '1.4.0+260',
    files: [['darwin', 'any', 'https://a.example/Editor-260.zip']],
  }
  expect(read(appcastOf(...items))).toEqual({ ...only, remarks: [] })
  const beta = { build: '270', short: '1.5.0', more: '<sparkle:channel>beta</sparkle:channel>' }
  expect(read(appcastOf(...items, beta)).remarks).toEqual([
    { code: 'not_kept', manifest: 'appcast.xml', members: ['sparkle:channel'] },
  ])
})

test('a version has one file for each system, and WinSparkle installs those for Windows', () => {
  const files = [
    { build: '260', short: '1.4.0', file: 'Editor.dmg' },
    { build: '260', short: '1.4.0', file: 'Setup-x64.exe' },
    { build: '260', short: '1.4.0', file: 'Setup.exe', os: 'windows-arm64' },
    { build: '260', short: '1.4.0', file: 'Again.dmg', os: 'macos' },
  ]
  expect(read(appcastOf(...files))).toMatchObject({
    files: [
      ['darwin', 'any', 'https://a.example/Editor.dmg'],
      ['windows', 'x86_64', 'https://a.example/Setup-x64.exe'],
      ['windows', 'aarch64', 'https://a.example/Setup.exe'],
    ],
    remarks: [{ code: 'target_taken', entry: 'Again.dmg', by: 'Editor.dmg' }],
  })
})

test.each([
  ['250', '1.4', '1.4.0+250'],
  ['250', '2', '2.0.0+250'],
  ['1.4', '1.4', '1.4.0+1.4'],
  ['250', undefined, '250.0.0+250'],
  ['1.4.0', '1.4.0', '1.4.0'],
  ['1.4.0', undefined, '1.4.0'],
  ['1.4.250', '1.4.0', '1.4.0+1.4.250'],
])('build %s of version %s is published as %s', (build, short, version) => {
  expect(read(appcastOf({ build, ...(short === undefined ? {} : { short }) })).version).toBe(
    version,
  )
})
