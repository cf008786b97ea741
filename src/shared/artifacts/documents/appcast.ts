import { ANY_ARCH } from '../../devices/aliases.ts'
import { BUILD_NUMBER } from '../../releases/version.ts'
import { completeAddress, fileNameOf, isAbsolute } from '../address.ts'
import { newArtifact } from '../artifact.ts'
import { guessArch, guessTarget } from '../guess.ts'
import type { ImportRemark, ImportResult } from '../imported.ts'
import type { DocumentFile, ReadDocument } from './read-document.ts'

const NAMESPACE = 'http://www.andymatuschak.org/xml-namespaces/sparkle'
/** What is read of an item and of its enclosure, or says nothing that Sparkle uses. */
const READ = [
  ...['title', 'link', 'guid', 'pubDate', 'author', 'category', 'enclosure'],
  ...['sparkle:version', 'sparkle:shortVersionString', 'sparkle:minimumSystemVersion'],
  ...['url', 'length', 'type', 'sparkle:edSignature'],
]
const LINKS = ['sparkle:releaseNotesLink', 'sparkle:fullReleaseNotesLink']

/** The one item of an appcast. */
interface Item {
  /** `CFBundleVersion`. */
  readonly build: string
  /** As people read it. */
  readonly short: string
  readonly archive: DocumentFile
  /** What else has an address beside the appcast: deltas and pages of notes. */
  readonly beside: readonly DocumentFile[]
  readonly floor: string | undefined
  readonly notes: string
  /** Members that are not read, as they are written. */
  readonly others: readonly string[]
}

/** Returns whether a file is an appcast of Sparkle, by its name. */
export function isAppcast(fileName: string): boolean {
  return /\.xml$/i.test(fileName)
}

/**
 * Reads an appcast of one item. It names no SHA-512, so the archive has to be beside it, or downloaded. Relative addresses
 * follow `base`, and stay empty without it.
 */
export function readAppcast(fileName: string, text: string, base: string): ImportResult {
  const item = itemOf(text)
  if (item === undefined) return { ok: false, fault: 'not_appcast' }
  const { build, short, archive, floor, notes, others } = item
  const { url, size, signature } = archive
  const name = fileNameOf(url)
  const isVersion = build === short || !BUILD_NUMBER.test(build) || short === ''
  const version = isVersion ? build : `${short}+${build}`
  const draft = newArtifact({
    platform: 'darwin',
    arch: guessArch(name, 'darwin') || guessArch(fileName, 'darwin') || ANY_ARCH,
    kind: guessTarget(name).kind,
    url: completeAddress(base, url),
    relative: isAbsolute(url) ? '' : url,
    size: size === 0 ? '' : String(size),
    signature,
    details: floor === undefined ? {} : { minimumSystemVersion: floor },
    listed: {
      ...{ format: 'sparkle', manifest: fileName, version },
      ...{ entry: name, sha512: '', assumedArch: '' },
    },
  })
  // A signed one is served as it is.
  const isLost = others.length > 0 && !isSignedAppcast(text)
  const remarks: ImportRemark[] = isLost
    ? [{ code: 'not_kept', manifest: fileName, members: others }]
    : []
  return {
    ok: true,
    release: { version, notes, stagingPercentage: null, artifacts: [draft], remarks },
  }
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
  const item = itemOf(content)
  if (item === undefined || signature === undefined) return undefined
  if (values.get('length') !== String(payload.length)) return undefined
  return {
    version: item.build,
    isFor: (version) => bundleVersionOf(version) === item.build,
    platform: 'darwin',
    arch: guessArch(name, 'darwin'),
    files: [item.archive, ...item.beside],
    signatures: [{ keyId: undefined, signature }],
    payload,
  }
}

/** Returns the `CFBundleVersion` of a version: its build metadata, if that is a build number. */
function bundleVersionOf(version: string): string {
  const [, metadata = ''] = version.split('+')
  return BUILD_NUMBER.test(metadata) ? metadata : version
}

function itemOf(text: string): Item | undefined {
  const root = readXml(text)
  if (root?.name !== 'rss' || root.attributes.get('xmlns:sparkle') !== NAMESPACE) return undefined
  const [item, ...more] = elementsIn(root, 'channel', 'item')
  const [enclosure, ...others] = item === undefined ? [] : elementsIn(item, 'enclosure')
  if (item === undefined || enclosure === undefined || more.length + others.length > 0) {
    return undefined
  }
  const textOf = (name: string) => elementsIn(item, name)[0]?.text.trim()
  const named = (name: string) => textOf(name) ?? enclosure.attributes.get(name) ?? ''
  const build = named('sparkle:version')
  if (build === '') return undefined
  const deltas = elementsIn(item, 'sparkle:deltas', 'enclosure').map(fileOf)
  const links = LINKS.flatMap((name) => elementsIn(item, name)).map(({ text: url }) => {
    return { url: url.trim(), sha512: '', size: 0, signature: '' }
  })
  const description = elementsIn(item, 'description')[0]
  const isMarkdown = description?.attributes.get('sparkle:format') === 'markdown'
  return {
    build,
    short: named('sparkle:shortVersionString'),
    archive: fileOf(enclosure),
    beside: [...deltas, ...links].filter(({ url }) => !isAbsolute(url)),
    floor: textOf('sparkle:minimumSystemVersion'),
    notes: isMarkdown ? (description?.text.trim() ?? '') : '',
    others: othersIn(item, enclosure, isMarkdown),
  }
}

/** Notes in HTML are not read: those of a release are Markdown. */
function othersIn(item: XmlElement, enclosure: XmlElement, isMarkdown: boolean): string[] {
  const named = [...item.children.map(({ name }) => name), ...enclosure.attributes.keys()]
  const isRead = (name: string) => READ.includes(name) || (isMarkdown && name === 'description')
  return [...new Set(named.filter((name) => !isRead(name)))]
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

/** An element of an XML document. */
interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  /** The text in it, without that of its children. */
  text: string
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>' },
  ...{ quot: '"', apos: "'" },
}

/**
 * Reads the root element of an XML document. Undefined for one that is not well-formed, or that has a document type: its
 * entities could say anything.
 */
export function readXml(text: string): XmlElement | undefined {
  const document: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [document]
  let read = text.startsWith('\uFEFF') ? 1 : 0
  TOKEN.lastIndex = read
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    read = TOKEN.lastIndex
    const [, data, closed, name, attributes = '', empty, plain] = match
    const current = open.at(-1) ?? document
    if (data !== undefined) current.text += data
    else if (plain !== undefined) current.text += unescaped(plain)
    else if (closed !== undefined && (open.length === 1 || open.pop()?.name !== closed))
      return undefined
    else if (name !== undefined) {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' }
      current.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  const [root, ...more] = document.children
  const isWhole = read === text.length && open.length === 1 && more.length === 0
  return isWhole && document.text.trim() === '' ? root : undefined
}

/** Returns the elements of a name within each other, such as `channel` and `item` in `rss`. */
export function elementsIn(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
    [element],
  )
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', double, single = '']) => {
      return [name, unescaped(double ?? single)]
    }),
  )
}

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (entity, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? entity
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
    },
  )
}
