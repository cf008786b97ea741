import { DOMParser, type Element } from '@xmldom/xmldom'
import { expect } from 'vitest'
import { compareAsSparkle } from '../../../src/shared/artifacts/documents/sparkle-order.ts'
import type { TestServer } from '../servers/server.ts'

const NAMESPACE = 'http://www.andymatuschak.org/xml-namespaces/sparkle'

/** An element as `SUAppcast.m` reads it: by namespace and name. */
interface Member {
  readonly name: string
  /** With what is in other elements in it. */
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly members: readonly Member[]
}

/** Reads the elements of the only item of an appcast. Null without one. */
export function readItem(text: string): readonly Member[] | null {
  const onError = (_level: string, message: string) => {
    throw new Error(message)
  }
  const document = new DOMParser({ onError }).parseFromString(text, 'application/xml')
  const [item, ...more] = [...document.getElementsByTagName('item')]
  expect(more).toEqual([])
  return item === undefined ? null : memberOf(item).members
}

function memberOf(element: Element): Member {
  const named = ({ namespaceURI, localName }: Pick<Element, 'namespaceURI' | 'localName'>) =>
    `${namespaceURI === NAMESPACE ? 'sparkle:' : ''}${localName}`
  const children = [...element.childNodes].filter(({ nodeType }) => nodeType === 1) as Element[]
  return {
    name: named(element),
    text: element.textContent ?? '',
    attributes: Object.fromEntries(
      [...element.attributes].map((each) => [named(each), each.value]),
    ),
    members: children.map(memberOf),
  }
}

/** What a Mac says of itself to Sparkle. */
export interface Mac {
  /** `CFBundleVersion` of the app. */
  readonly running: string
  /** The version of macOS. */
  readonly system: string
  readonly isArm: boolean
}

/**
 * Returns what Sparkle 2 does with an item: `SUAppcastDriver.m`, `SPUAppcastItemStateResolver.m`, `SUAppcastItem.m`. Null where
 * it finds no update. Addresses follow that of the feed.
 */
export function decideAsSparkle(item: readonly Member[] | null, mac: Mac, feed: string) {
  const find = (name: string) => item?.find((each) => each.name === name)
  const textOf = (name: string) => find(name)?.text ?? ''
  const isUpTo = (one: string, other: string) => one === '' || compareAsSparkle(one, other) <= 0
  const version = textOf('sparkle:version').trim()
  const highest = textOf('sparkle:maximumSystemVersion')
  const isInstallable =
    version !== '' &&
    compareAsSparkle(mac.running, version) < 0 &&
    isUpTo(textOf('sparkle:minimumSystemVersion').trim(), mac.system) &&
    (highest === '' || isUpTo(mac.system, highest)) &&
    isUpTo(textOf('sparkle:minimumUpdateVersion'), mac.running) &&
    (mac.isArm ||
      !textOf('sparkle:hardwareRequirements')
        .split(/[\s,]+/)
        .includes('arm64'))
  if (!isInstallable) return null
  const critical = find('sparkle:criticalUpdate')
  const below = critical?.attributes['sparkle:version'] ?? ''
  const informational = find('sparkle:informationalUpdate')
  const versions = informational?.members.map(({ text }) => text) ?? []
  const delta = find('sparkle:deltas')?.members.find(
    ({ attributes }) => attributes['sparkle:deltaFrom'] === mac.running,
  )
  const file = (delta ?? find('enclosure'))?.attributes ?? {}
  return {
    version,
    isCritical:
      critical !== undefined && (below === '' || compareAsSparkle(mac.running, below) < 0),
    isInformational:
      informational !== undefined && (versions.length === 0 || versions.includes(mac.running)),
    url: new URL(file.url ?? '', feed).href,
    signature: file['sparkle:edSignature'],
    installation: file['sparkle:installationType'],
  }
}

/** The only item of the appcast of a channel. Null without one. */
export async function itemFor(server: TestServer, query = '', headers = {}, channel = 'stable') {
  const path = `/sparkle/editor/${channel}/appcast.xml${query}`
  const { status, text, headers: sent } = await server.call('GET', path, { key: null, headers })
  expect(status, text).toBe(200)
  expect(sent.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const item = readItem(text)
  if (item === null) return null
  const find = (name: string) => item.find((each) => each.name === name)
  const enclosure = find('enclosure')?.attributes
  return {
    version: find('sparkle:version')?.text,
    shown: find('sparkle:shortVersionString')?.text,
    date: find('pubDate')?.text,
    notes: find('description')?.text,
    format: find('description')?.attributes['sparkle:format'],
    floor: find('sparkle:minimumSystemVersion')?.text,
    critical: critical(find('sparkle:criticalUpdate')),
    url: enclosure?.url,
    length: enclosure?.length,
    signature: enclosure?.['sparkle:edSignature'] ?? null,
  }
}

/** The version below which an update is critical; null if it is for every version. */
function critical(element: Member | undefined): string | null | undefined {
  return element && (element.attributes['sparkle:version'] ?? null)
}
