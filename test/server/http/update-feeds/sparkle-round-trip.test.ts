// @module-tag long

import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { artifactsOf } from '../../../../src/server/cli/publish/rows.ts'
import { readAppcast } from '../../../../src/shared/artifacts/documents/appcast.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { decideAsSparkle, readItem } from '../../../support/updaters/appcast.ts'

const BASE = 'https://downloads.example/editor/'
const ED = `${'E'.repeat(86)}==`

/** What no XML document can have, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const text = fc
  .string({ unit: codePoint, minLength: 1, maxLength: 20 })
  .map((some) => some.replace(NOT_XML, '').trim() || 'x')
const number = fc.nat({ max: 30 })
const numbers = fc.tuple(number, number).map((parts) => parts.join('.'))
const address = fc.constantFrom('notes/1.html', 'https://a.example/notes?a=1&b=2', 'Notes%20(1).md')
const build = fc.integer({ min: 1, max: 900 }).map(String)
const version = fc.tuple(number, number, number).map((parts) => parts.join('.'))

interface Element {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly content: string | readonly Element[]
}

const of = (
  name: string,
  content: fc.Arbitrary<string | Element[]>,
  attributes: Readonly<Record<string, string>> = {},
) => content.map((some): Element => ({ name, content: some, attributes }))

const delta = fc.tuple(build, address).map(
  ([from, url]): Element => ({
    name: 'enclosure',
    attributes: { 'sparkle:deltaFrom': from, url, length: '7', 'sparkle:edSignature': ED },
    content: '',
  }),
)

/** Elements of Sparkle beside those that Tidegate reads, and some that are of no meaning to it. */
const others = fc.tuple(
  ...[
    of('title', text),
    of('link', address),
    of('sparkle:fullReleaseNotesLink', address),
    of('sparkle:releaseNotesLink', address, { 'xml:lang': 'de' }),
    of('sparkle:maximumSystemVersion', numbers),
    of('sparkle:minimumUpdateVersion', build),
    of('sparkle:ignoreSkippedUpgradesBelowVersion', build),
    of('sparkle:hardwareRequirements', fc.constantFrom('arm64', 'arm64, other', 'other')),
    of('sparkle:criticalUpdate', fc.constant('')),
    build.map((below): Element => {
      return {
        name: 'sparkle:criticalUpdate',
        attributes: { 'sparkle:version': below },
        content: '',
      }
    }),
    of('sparkle:informationalUpdate', fc.array(of('sparkle:version', build), { maxLength: 3 })),
    of('sparkle:tags', fc.constant([{ name: 'sparkle:criticalUpdate', content: '' }])),
    of('sparkle:deltas', fc.array(delta, { minLength: 1, maxLength: 3 })),
    of('description', text),
    of('description', text, { 'sparkle:format': 'plain-text' }),
    of('description', text, { 'sparkle:format': 'markdown' }),
    of('vendor', text, { kept: '"<&\t\n' }),
  ].map((each) => fc.option(each, { nil: undefined })),
)

const appcast = fc.record({
  named: fc.oneof(
    build.map((number) => ({ build: number, short: '1.4' })),
    fc.tuple(build, version).map(([number, short]) => ({ build: number, short })),
    version.map((short) => ({ build: short, short: '' })),
  ),
  floor: fc.option(numbers),
  others,
  attributes: fc.constantFrom(
    {},
    { 'sparkle:installationType': 'package', type: 'application/x-apple' },
    { 'sparkle:dsaSignature': 'MC0=', 'sparkle:os': 'macos' },
  ),
})

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }
const escaped = (value: string) =>
  value.replace(/[&<"\t\n\r]/g, (each) => ESCAPES[each] ?? `&#${each.charCodeAt(0)};`)

function written({ name, attributes = {}, content }: Element): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = typeof content === 'string' ? escaped(content) : content.map(written).join('\n')
  return `<${name}${given.join('')}>${inner}</${name}>`
}

test('Sparkle reads the same from a plain file server and from Tidegate, in every member, and decides the same', async () => {
  const server = await startWithApp()
  const decisions = new Set<boolean>()
  let channels = 0
  const property = fc.asyncProperty(
    appcast,
    fc.record({ running: build, system: numbers, isArm: fc.boolean() }),
    async ({ named, floor, others: drawn, attributes }, mac) => {
      // An element of a name once, as `generate_appcast` writes it.
      const more = new Map(drawn.flatMap((each) => (each ? [[each.name, each] as const] : [])))
      const one = (name: string, content: string) =>
        content === '' ? [] : [{ name, content } satisfies Element]
      const enclosure = { url: 'Editor.zip', length: '42', 'sparkle:edSignature': ED }
      const original = `<?xml version="1.0"?>
<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0"><channel>
<item><pubDate>Sat, 15 Aug 2026 08:24:11 +0000</pubDate>
${[
  ...one('sparkle:version', named.build),
  ...one('sparkle:shortVersionString', named.short),
  ...one('sparkle:minimumSystemVersion', floor ?? ''),
  ...more.values(),
  {
    name: 'enclosure',
    attributes: { type: 'application/octet-stream', ...enclosure, ...attributes },
    content: '',
  },
]
  .map(written)
  .join('\n')}
</item></channel></rss>`
      const read = readAppcast('appcast.xml', original, BASE)
      if (!read.ok) throw new Error(read.fault)
      const { version: release, notes, artifacts: rows, remarks } = read.release
      expect(remarks).toEqual([])
      const sha512 = hash('sha512', String(channels))
      const channel = `channel-${channels++}`
      await createChannel(server.catalog, ACTOR, { app: 'editor', name: channel })
      const artifacts = artifactsOf(
        rows.map((row) => ({ ...row, sha512 })),
        notes,
        false,
      )
      await publish(server, release, { channel, artifacts, notes })
      const ask = async (query: string) => {
        const path = `/sparkle/editor/${channel}/appcast.xml${query}`
        return readItem((await server.call('GET', path, { key: null })).text)
      }
      const isAdded = (name: string) => name === 'title' && !more.has(name)
      const served = (await ask(''))?.filter(({ name }) => !isAdded(name)) ?? null
      expect(membersOf(served), original).toEqual(membersOf(readItem(original)))
      const query = `?version=${mac.running}&os=macos-${mac.system}`
      const feed = `${server.address}/sparkle/editor/${channel}/appcast.xml`
      const decision = decideAsSparkle(readItem(original), mac, BASE)
      expect(decideAsSparkle(await ask(query), mac, feed), original).toEqual(decision)
      decisions.add(decision !== null)
    },
  )
  await fc.assert(property, { numRuns: 200 })
  expect(decisions).toEqual(new Set([true, false]))
})

type Members = NonNullable<ReturnType<typeof readItem>>

/** What Sparkle keeps of an item: addresses in full, numbers of systems in three parts, and what it takes for a missing name. */
function membersOf(item: ReturnType<typeof readItem>) {
  const find = (name: string) => item?.find((each) => each.name === name)?.text
  const shown = find('sparkle:shortVersionString') ?? find('sparkle:version')
  const plain = (members: Members): object[] =>
    members
      .filter(({ name }) => name !== 'pubDate' && name !== 'sparkle:shortVersionString')
      .map(
        ({
          name,
          text: content,
          attributes: { 'sparkle:os': _, ...attributes },
          members: inner,
        }) => {
          const isLink = /link$/i.test(name)
          const isFloor = name === 'sparkle:minimumSystemVersion'
          const url =
            attributes.url === undefined ? {} : { url: new URL(attributes.url, BASE).href }
          const whole = isFloor ? `${content}.0.0`.split('.').slice(0, 3).join('.') : content
          return {
            name,
            text: inner.length > 0 ? '' : isLink ? new URL(content, BASE).href : whole,
            attributes: { ...attributes, ...url },
            members: plain(inner),
          }
        },
      )
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { shown, members: plain(item ?? []) }
}
