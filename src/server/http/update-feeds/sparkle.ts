import { ENCLOSURE_TYPE } from '../../../shared/artifacts/documents/appcast-members.ts'
import { documentFor } from '../../../shared/artifacts/documents/document.ts'
import { compareAsSparkle } from '../../../shared/artifacts/documents/sparkle-order.ts'
import { lowestSystem } from '../../../shared/devices/system-version.ts'
import { type AppcastElement, AppcastExtra } from '../../../shared/files/artifact-details.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import { bundleVersionOf, shortVersionOf } from '../../../shared/releases/version.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import { filesOf } from '../../rules/decision/view.ts'
import { sparkleChoice } from '../../rules/updaters/choices.ts'
import {
  bundleVersionFrom,
  sparkleTakes,
  versionOfBundle,
} from '../../rules/updaters/sparkle-build.ts'
import { documentReply, FeedBodies, feedReply } from './bodies.ts'
import { addressBeside, withDocuments } from './downloads.ts'
import { type FeedFormat, headerOrQuery } from './feed-format.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
/** Characters that an XML 1.0 document cannot contain in any way: they are left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Returns an element with text content. `attributes`, with a space before each, and `children` are written already. */
function element(name: string, content: string, attributes = '', children = ''): string {
  // A line feed stays one; a carriage return would become one.
  const escaped = content.replace(/[&<>\r]/g, escapeOf)
  return `<${name}${attributes}>${escaped.replace(NOT_XML, '')}${children}</${name}>`
}

/** Returns a text for an attribute in double quotes. */
function inAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, escapeOf).replace(NOT_XML, '')
}

function escapeOf(character: string): string {
  return ESCAPES[character] ?? character
}

const RSS = 'application/rss+xml'
const bodies = new FeedBodies(RSS)

/**
 * `/sparkle/{app}/{channel}/appcast.xml`: docs/api.md, "Sparkle". From its sources (`SUAppcast.m`, `SUAppcastItem.m`):
 * `sparkle:version` is compared with the bundle version of the app, and an appcast without items is no update. An update that
 * Sparkle would not take, because it orders versions in its own way, is none.
 */
export const SPARKLE: FeedFormat = {
  path: '/sparkle/',
  asks: {
    sparkle: ({ version, arch }) => ({
      parts: ['appcast.xml'],
      query: { version: bundleVersionOf(version), arch },
    }),
  },
  files: {
    isFile: (path) => !/\/appcast\.xml\/?$/.test(path),
    find: (channel, [name = '', ...more]) =>
      more.length > 0 ? undefined : addressBeside(channel, 'sparkle', name),
  },
  parameters: ['version', 'arch'],
  deviceId: headerOrQuery,

  client([file, ...more], query, channel) {
    if (file !== 'appcast.xml' || more.length > 0) return undefined
    const running = query.get('version') ?? undefined
    const arch = query.get('arch') ?? undefined
    return {
      platform: 'darwin',
      arch,
      version: running === undefined ? undefined : versionOfBundle(channel.compiled, running),
      mustList: false,
      takes: running === undefined ? undefined : sparkleTakes(running),
      choose: sparkleChoice,
      reply(listing) {
        if (listing === null) {
          const quiet = running && signedUpTo(channel, running, arch)
          return quiet ? documentReply(RSS, quiet) : feedReply(RSS, appcast(channel, ''))
        }
        const document = documentFor(listing.release.facts, 'sparkle', 'darwin', arch)
        if (document !== undefined) return documentReply(RSS, document)
        const critical = criticalUpdate(listing.channel)
        const make = () => appcast(channel, itemOf(listing.release, critical))
        return bodies.reply(listing.release, make, critical)
      },
    }
  },
}

/**
 * Returns the signed appcast of the latest release that is not above a running version, which is no update for it: an app that
 * requires a signature fails on an appcast without items, too. Undefined if there is none.
 */
function signedUpTo(
  { compiled }: CatalogChannel,
  running: string,
  arch: string | undefined,
): SignedDocument | undefined {
  for (const { version, facts } of withDocuments(compiled)) {
    if (compareAsSparkle(bundleVersionOf(version), running) > 0) continue
    const document = documentFor(facts, 'sparkle', 'darwin', arch)
    if (document !== undefined) return document
  }
  return undefined
}

/** What the channel's policy requires: `SPUAppcastItemStateResolver.m` compares the version with that of the app. */
function criticalUpdate(channel: CatalogChannel): string {
  const { policy, minimumSupported } = channel.compiled
  if (policy.updateMode === 'required') return '<sparkle:criticalUpdate/>'
  if (minimumSupported.text === '0.0.0') return ''
  const below = bundleVersionFrom(channel.compiled, minimumSupported)
  return `<sparkle:criticalUpdate sparkle:version="${inAttribute(below)}"/>`
}

/** What the publisher's own appcast says is passed on unchanged, in place of what the server would say of the same. */
function itemOf(release: ServedRelease, critical: string): string {
  const { facts, version } = release
  const [file] = filesOf(release)
  if (file === undefined) return ''
  const { url, size, signature, minimumSystemVersion = '', extra } = file
  const kept = AppcastExtra.safeParse(extra).data
  const elements = kept?.manifest?.item ?? []
  const others = elements.filter(({ name }) => name !== CRITICAL || critical === '')
  const isGiven = (name: string) => elements.some((each) => each.name === name)
  const floor = lowestSystem('darwin', minimumSystemVersion)
  const made: AppcastElement[] = [
    { name: 'title', text: shortVersionOf(version) },
    { name: 'sparkle:shortVersionString', text: shortVersionOf(version) },
    ...(facts.notes === ''
      ? []
      : [{ name: 'description', attributes: MARKDOWN, text: facts.notes }]),
  ]
  const enclosure = {
    ...{ url, length: String(size), type: ENCLOSURE_TYPE, ...kept?.file },
    ...(signature === '' ? {} : { 'sparkle:edSignature': signature }),
  }
  return [
    '<item>',
    element('pubDate', new Date(facts.createdAt).toUTCString().replace('GMT', '+0000')),
    element('sparkle:version', bundleVersionOf(version)),
    floor === undefined ? '' : element('sparkle:minimumSystemVersion', floor),
    critical,
    ...[...made.filter(({ name }) => !isGiven(name)), ...others].map(written),
    `<enclosure${attributesOf(enclosure)}/>`,
    '</item>',
  ].join('\n')
}

const CRITICAL = 'sparkle:criticalUpdate'
const MARKDOWN = { 'sparkle:format': 'markdown' }

function written({ name, attributes = {}, text = '', children = [] }: AppcastElement): string {
  return element(name, text, attributesOf(attributes), children.map(written).join(''))
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${inAttribute(value)}"`)
    .join('')
}

function appcast({ app, record }: CatalogChannel, item: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">
<channel>
${element('title', `${app.name} (${record.name})`)}
${item}
</channel>
</rss>
`
}
