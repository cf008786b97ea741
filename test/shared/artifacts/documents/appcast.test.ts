import { expect, test } from 'vitest'
import { publishedDetails } from '../../../../src/shared/artifacts/details.ts'
import { readAppcast } from '../../../../src/shared/artifacts/documents/appcast.ts'
import { artifactWarnings } from '../../../../src/shared/artifacts/warnings.ts'

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

test('Sparkle goes by the namespace and not by its prefix, and by names where the namespace is not declared', () => {
  const text = appcastOf({
    build: '260',
    short: '1.4.0',
    more: '<sparkle:tags><sparkle:criticalUpdate/></sparkle:tags>',
  })
  const expected = read(text)
  const other = text.replace('xmlns:sparkle', 'xmlns:feed').replaceAll('sparkle:', 'feed:')
  expect(read(other)).toEqual(expected)
  const inItem = text.replace(/ xmlns:sparkle="[^"]*"/, '')
  expect(
    read(
      inItem
        .replaceAll(
          '<item>',
          '<item xmlns:s="http://www.andymatuschak.org/xml-namespaces/sparkle">',
        )
        .replaceAll('sparkle:', 's:'),
    ),
  ).toEqual(expected)
  expect(read(inItem)).toEqual(expected)
  expect(readAppcast('appcast.xml', other.replace('http://www.', 'http://other.'), '').ok).toBe(
    false,
  )
})

test('what Sparkle encodes in an address is encoded, and nothing else', () => {
  const urlOf = (file: string) => read(appcastOf({ build: '260', file })).files[0]?.[2]
  expect(urlOf('https://a.example/My App \u00e9.zip')).toBe(
    'https://a.example/My%20App%20%C3%A9.zip',
  )
  const kept = 'https://A.example:443/a%2fb/../App.zip?sig=%2B~&amp;x='
  expect(urlOf(kept)).toBe(kept.replace('&amp;', '&'))
})

test('an older item can have a page in place of a file, and the version of the enclosure comes first', () => {
  const page = (build: string) =>
    `<item><link>https://a.example/about</link><sparkle:version>${build}</sparkle:version></item>`
  const text = appcastOf({ build: '260', short: '1.4.0' })
  const withPage = (build: string) => text.replace('<item>', `${page(build)}<item>`)
  expect(read(withPage('250'))).toEqual(read(text))
  expect(readAppcast('appcast.xml', withPage('270'), '').ok).toBe(false)
  expect(readAppcast('appcast.xml', withPage('250').replace(/<link>.*<\/link>/, ''), '').ok).toBe(
    false,
  )
  const both = text.replace('<enclosure ', '<enclosure sparkle:version="261" ')
  expect(read(both).version).toBe('1.4.0+261')
})

test('notes are those of the release unless they are in HTML, and stay as they are for Sparkle', () => {
  const of = (attributes: string, content: string) => {
    const more = `<description${attributes}>${content}</description>`
    const result = readAppcast(
      'appcast.xml',
      appcastOf({ build: '260', more }),
      'https://a.example/',
    )
    if (!result.ok) throw new Error(result.fault)
    const [row] = result.release.artifacts
    if (row === undefined) throw new Error('no row')
    const { notes } = result.release
    const kept = (given: string) => publishedDetails(row, given).extra?.manifest?.item
    return { notes, kept: kept(notes), withOthers: kept('Other notes') }
  }
  const plain = of(' sparkle:format="plain-text"', '1. Fast * 2\n<![CDATA[<b>]]>')
  const description = { name: 'description', attributes: { 'sparkle:format': 'plain-text' } }
  const text = '1. Fast * 2\n<b>'
  expect(plain).toEqual({ notes: text, kept: [{ ...description, text }], withOthers: [] })
  const html = of('', '<![CDATA[<b>Fast</b>]]>')
  const kept = [{ name: 'description', text: '<b>Fast</b>' }]
  expect(html).toEqual({ notes: '', kept, withOthers: [] })
  const markdown = of(' sparkle:format="markdown"', '**Fast**')
  expect(markdown).toEqual({ notes: '**Fast**', kept: undefined, withOthers: undefined })
})

test('macOS 26 is no Darwin 26, and what is beside an appcast is left out where its files are elsewhere', () => {
  const more = `<sparkle:minimumSystemVersion>26.1</sparkle:minimumSystemVersion>
<sparkle:releaseNotesLink>notes.html</sparkle:releaseNotesLink><link>https://b.example/</link>
<sparkle:deltas><enclosure url="a.delta" sparkle:deltaFrom="259"/></sparkle:deltas>`
  const text = appcastOf({ build: '260', more })
  const result = readAppcast('appcast.xml', text, 'https://a.example/1/')
  if (!result.ok) throw new Error(result.fault)
  const [row] = result.release.artifacts
  if (row === undefined) throw new Error('no row')
  const { minimumSystemVersion, extra } = publishedDetails(row, '')
  expect([minimumSystemVersion, extra?.manifest]).toEqual([
    'macos-26.1',
    {
      item: [
        { name: 'sparkle:releaseNotesLink', text: 'https://a.example/1/notes.html' },
        { name: 'link', text: 'https://b.example/' },
        {
          name: 'sparkle:deltas',
          children: [
            {
              ...{ name: 'enclosure', text: '' },
              attributes: { url: 'https://a.example/1/a.delta', 'sparkle:deltaFrom': '259' },
            },
          ],
        },
      ],
    },
  ])
  const uploaded = { ...row, url: 'https://u.example/files/1/Editor-260.zip', relative: '' }
  expect(publishedDetails(uploaded, '').extra?.manifest).toEqual({
    item: [{ name: 'link', text: 'https://b.example/' }],
  })
  const file = 'Editor-260.zip'
  expect(
    artifactWarnings([row], '1.4.0+260', true).filter(({ code }) => code === 'member_beside'),
  ).toEqual([
    { code: 'member_beside', file, name: 'notes.html' },
    { code: 'member_beside', file, name: 'a.delta' },
  ])
})

test('a comment inside an element is refused', () => {
  const text = appcastOf({ build: '250' }).replace('<enclosure', '<enclosure <!-- old -->')
  expect(readAppcast('appcast.xml', text, 'https://a.example/').ok).toBe(false)
})

test.each([
  ['250', '1.4', '1.4.0+250'],
  ['250', '2', '2.0.0+250'],
  ['250', '2.0', '2.0.0+250'],
  ['1.4', '1.4', '1.4.0+1.4'],
  ['250', undefined, '250.0.0+250'],
  ['1.4.0', '1.4.0', '1.4.0'],
  ['1.4.0', undefined, '1.4.0'],
  ['1.4.250', '1.4.0', '1.4.0+1.4.250'],
  ['1.4.0.250', '1.4.0', '1.4.0+1.4.0.250'],
  ['1.4.0.250', undefined, '1.4.0+1.4.0.250'],
])('build %s of version %s is published as %s', (build, short, version) => {
  expect(read(appcastOf({ build, ...(short === undefined ? {} : { short }) })).version).toBe(
    version,
  )
})
