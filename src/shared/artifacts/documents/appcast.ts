import { ANY_ARCH } from '../../devices/aliases.ts'
import {
  BUILD_NUMBER,
  bundleVersionOf,
  readVersion,
  shortVersionOf,
} from '../../releases/version.ts'
import { completeAddress, fileNameOf, isAbsolute } from '../address.ts'
import { newArtifact } from '../artifact.ts'
import { guessArch, guessTarget } from '../guess.ts'
import { type Candidate, type ImportResult, keepOnePerTarget } from '../imported.ts'
import { membersBeyond } from './appcast-members.ts'
import type { DocumentFile, ReadDocument } from './read-document.ts'
import { compareAsSparkle } from './sparkle-order.ts'
import { elementsIn, readXml, type XmlElement } from './xml.ts'

const NAMESPACES = new Map([['http://www.andymatuschak.org/xml-namespaces/sparkle', 'sparkle']])
/** Formats of notes that are those of a release as well; others are served to Sparkle alone. */
const READ_NOTES: readonly (string | undefined)[] = ['markdown', 'plain-text']
const LINKS = ['sparkle:releaseNotesLink', 'sparkle:fullReleaseNotesLink']

/** An item of an appcast. */
interface Item {
  /** `CFBundleVersion`. */
  readonly build: string
  /** As people read it. */
  readonly short: string
  /** As WinSparkle reads it, such as `windows-x64`; empty if it is not given. */
  readonly os: string
  /** Undefined for an item that only has a page, which Sparkle shows to people. */
  readonly archive: DocumentFile | undefined
  /** What else has an address beside the appcast: deltas and pages of notes. */
  readonly beside: readonly DocumentFile[]
  readonly floor: string | undefined
  readonly notes: string
  /** What is kept beyond that, and the names of what is not. */
  readonly beyond: ReturnType<typeof membersBeyond>
}

/** Returns whether a file is an appcast of Sparkle, by its name. */
export function isAppcast(fileName: string): boolean {
  return /\.xml$/i.test(fileName)
}

/**
 * Reads the items of the highest version of an appcast. It names no SHA-512, so the archive has to be beside it, or downloaded.
 * Relative addresses follow `base`, and stay empty without it.
 */
export function readAppcast(fileName: string, text: string, base: string): ImportResult {
  const isSigned = isSignedAppcast(text)
  const all = itemsOf(text) ?? []
  const items = highest(all)
  const [first] = items
  // One that is signed is served with all its items.
  if (first === undefined || (isSigned && all.length > 1))
    return { ok: false, fault: 'not_appcast' }
  const version = versionOf(first)
  const files = items.flatMap(({ archive, ...item }) => (archive ? [{ ...item, ...archive }] : []))
  if (files.length === 0) return { ok: false, fault: 'not_appcast' }
  const candidates = files.map(({ os, floor, beyond, url, size, signature }): Candidate => {
    const name = fileNameOf(url)
    const guess = guessTarget(name)
    const platform = platformOf(os, name)
    const arch = [os, name, fileName].map((each) => guessArch(each, platform)).find(Boolean)
    const assumedArch = arch === undefined && platform !== 'darwin' ? 'x86_64' : ''
    const draft = newArtifact({
      platform,
      arch: arch ?? (assumedArch || ANY_ARCH),
      kind: guess.kind,
      url: completeAddress(base, url),
      relative: isAbsolute(url) ? '' : url,
      size: size === 0 ? '' : String(size),
      signature,
      details: {
        ...(floor === undefined ? {} : { minimumSystemVersion: floor }),
        // A signed one is served as it is.
        ...(beyond.extra === undefined || isSigned ? {} : { extra: beyond.extra }),
      },
      listed: {
        ...{ format: 'sparkle', manifest: fileName, version },
        ...{ entry: name, sha512: '', assumedArch },
      },
    })
    return { name, draft, rank: 0 }
  })
  const { artifacts, remarks } = keepOnePerTarget(fileName, candidates)
  const others = [...new Set(items.flatMap(({ beyond }) => beyond.others))]
  if (others.length > 0 && !isSigned) {
    remarks.push({ code: 'not_kept', manifest: fileName, members: others })
  }
  return {
    ok: true,
    release: { version, notes: first.notes, stagingPercentage: null, artifacts, remarks },
  }
}

/** The version that people read, with the one that Sparkle compares behind it, if that is another. */
function versionOf({ build, short }: Pick<Item, 'build' | 'short'>): string {
  const isVersion = (short === '' || short === build) && readVersion(build).ok
  if (isVersion || !BUILD_NUMBER.test(build)) return build
  const named = short || build
  const plain = BUILD_NUMBER.test(named)
    ? [...named.split('.'), '0', '0'].slice(0, 3).join('.')
    : named
  return `${plain}+${build}`
}

/** Sparkle itself runs on macOS alone, and WinSparkle on Windows. */
function platformOf(os: string, file: string): string {
  if (os === '') return /\.(?:exe|msi)$/i.test(file) ? 'windows' : 'darwin'
  if (os.startsWith('windows')) return 'windows'
  return os === 'macos' || os === 'osx' ? 'darwin' : os
}

/** Returns the items of the highest version, as Sparkle orders them. */
function highest(items: readonly Item[]): Item[] {
  const [first] = items.toSorted((a, b) => compareAsSparkle(b.build, a.build))
  return items.filter(({ build }) => build === first?.build)
}

const PREFIX = '<!-- sparkle-signatures:\n'

/** Returns whether an appcast carries a signature, whatever its form. */
export function isSignedAppcast(text: string): boolean {
  return text.includes(PREFIX)
}

/**
 * Reads an appcast that Sparkle 2.9 or later signed (`SPUExtractAppcastContent`): a comment at its end has the signature and
 * the length of all before it. Undefined if it carries none, or Sparkle would refuse it.
 */
export function readSparkleDocument(name: string, text: string): ReadDocument | undefined {
  const at = text.lastIndexOf(PREFIX)
  const [block = '', ...rest] = text.slice(at + PREFIX.length).split('-->')
  if (at < 0 || rest.length !== 1 || rest[0]?.trim() !== '') return undefined
  const values = new Map(
    block.split('\n').map((line) => {
      const [key = '', value = ''] = line.split(/:(.*)/)
      return [key, value.trim()]
    }),
  )
  const content = text.slice(0, at)
  const payload = new TextEncoder().encode(content)
  const signature = values.get('edSignature')
  const [item, ...more] = itemsOf(content) ?? []
  if (item?.archive === undefined || more.length > 0 || signature === undefined) return undefined
  if (values.get('length') !== String(payload.length)) return undefined
  return {
    version: item.build,
    isFor(version) {
      const read = readVersion(version)
      return read.ok && bundleVersionOf(read.version) === item.build
    },
    platform: 'darwin',
    arch: guessArch(name, 'darwin'),
    files: [item.archive, ...item.beside],
    signatures: [{ keyId: undefined, signature }],
    payload,
  }
}

/** Undefined for what is no appcast, or has an item that is read in no way. */
function itemsOf(text: string): Item[] | undefined {
  const root = readXml(text, NAMESPACES)
  if (root?.name !== 'rss') return undefined
  const items = elementsIn(root, 'channel', 'item').map(itemOf)
  const read = items.filter((each) => each !== undefined)
  return read.length === items.length ? read : undefined
}

const NO_FILE: XmlElement = { name: 'enclosure', attributes: new Map(), children: [], text: '' }

function itemOf(item: XmlElement): Item | undefined {
  const [enclosure = NO_FILE, ...others] = elementsIn(item, 'enclosure')
  const textOf = (name: string) => elementsIn(item, name)[0]?.text.trim()
  if (others.length > 0 || (enclosure === NO_FILE && !textOf('link'))) return undefined
  // As Sparkle does where an item has both.
  const named = (name: string) => enclosure.attributes.get(name) ?? textOf(name) ?? ''
  const build = named('sparkle:version')
  if (build === '') return undefined
  const deltas = elementsIn(item, 'sparkle:deltas', 'enclosure').map(fileOf)
  const links = LINKS.flatMap((name) => elementsIn(item, name)).map(({ text: url }) => {
    return { url: url.trim(), sha512: '', size: 0, signature: '' }
  })
  const short = named('sparkle:shortVersionString')
  const read = readVersion(versionOf({ build, short }))
  const shown = read.ok ? shortVersionOf(read.version) : short
  const description = elementsIn(item, 'description')[0]
  const format = description?.attributes.get('sparkle:format')
  const isMade = (each: XmlElement) =>
    each === description
      ? format === 'markdown'
      : ['title', 'sparkle:shortVersionString'].includes(each.name) && each.text === shown
  return {
    ...{ build, short },
    os: enclosure.attributes.get('sparkle:os') ?? '',
    archive: enclosure === NO_FILE ? undefined : fileOf(enclosure),
    beside: [...deltas, ...links].filter(({ url }) => !isAbsolute(url)),
    floor: floorOf(textOf('sparkle:minimumSystemVersion')),
    notes: READ_NOTES.includes(format) ? (description?.text.trim() ?? '') : '',
    beyond: membersBeyond(item, enclosure, isMade),
  }
}

/** A number alone could be that of a kernel, as electron-builder writes it. */
function floorOf(system: string | undefined): string | undefined {
  return system !== undefined && Number.parseInt(system, 10) >= 16 ? `macos-${system}` : system
}

function fileOf({ attributes }: XmlElement): DocumentFile {
  const length = attributes.get('length') ?? ''
  return {
    url: attributes.get('url') ?? '',
    sha512: '',
    size: /^\d{1,15}$/.test(length) ? Number(length) : 0,
    signature: attributes.get('sparkle:edSignature') ?? '',
  }
}
