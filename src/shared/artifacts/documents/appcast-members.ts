import {
  AppcastElement,
  AppcastExtra,
  MAX_EXTRA,
  RESERVED_MEMBERS,
} from '../../files/artifact-details.ts'
import type { XmlElement } from './xml.ts'

/** Attributes of an enclosure that are read as fields. */
const READ: readonly string[] = [
  ...RESERVED_MEMBERS.sparkle.file,
  ...['sparkle:os', 'sparkle:version', 'sparkle:shortVersionString'],
]
/** Elements of an item that would decide a second time who gets a release, or when. */
const DECIDING: readonly string[] = ['sparkle:channel', 'sparkle:phasedRolloutInterval']
const MADE: readonly string[] = RESERVED_MEMBERS.sparkle.manifest
/** What the feed says of every enclosure. */
export const ENCLOSURE_TYPE = 'application/octet-stream'

/** What an item says beyond what is read of it. */
interface Beyond {
  /** Undefined for nothing. */
  readonly extra: AppcastExtra | undefined
  /** The names of what cannot be kept. */
  readonly others: readonly string[]
}

/** Returns what is kept of an item to be served unchanged. `isMade`: whether the feed makes the same element by itself. */
export function membersBeyond(
  item: XmlElement,
  enclosure: XmlElement,
  isMade: (element: XmlElement) => boolean,
): Beyond {
  const others = new Set<string>()
  let left = MAX_EXTRA
  const fits = (name: string, kept: object | undefined) => {
    const size = JSON.stringify(kept ?? '').length + 1
    const isKept = kept !== undefined && size < left
    if (isKept) left -= size
    else others.add(name)
    return isKept
  }
  const attributes = [...enclosure.attributes].filter(([name, value]) => {
    const isSaid = READ.includes(name) || (name === 'type' && value === ENCLOSURE_TYPE)
    return !isSaid && fits(name, extraOf({ file: { [name]: value } }))
  })
  const elements = item.children.flatMap((each) => {
    const { name } = each
    if (isMade(each) || (MADE.includes(name) && !DECIDING.includes(name))) return []
    const kept = DECIDING.includes(name) ? undefined : keptElement(each)
    return fits(name, kept) && kept !== undefined ? [kept] : []
  })
  const file = attributes.length === 0 ? {} : { file: Object.fromEntries(attributes) }
  const manifest = elements.length === 0 ? {} : { manifest: { item: elements } }
  const hasAny = attributes.length + elements.length > 0
  return { extra: hasAny ? extraOf({ ...file, ...manifest }) : undefined, others: [...others] }
}

function extraOf(members: Omit<AppcastExtra, 'updater'>): AppcastExtra | undefined {
  return AppcastExtra.safeParse({ updater: 'sparkle', ...members }).data
}

/** Undefined for what could not be written again as it was: text beside elements, and names of other vocabularies. */
function keptElement({ name, attributes, children, text }: XmlElement): AppcastElement | undefined {
  const inner = children.map(keptElement)
  const isMixed = children.length > 0 && text.trim() !== ''
  if (isMixed || inner.includes(undefined)) return undefined
  return AppcastElement.safeParse({
    name,
    ...(attributes.size === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...(children.length === 0 ? { text } : { children: inner }),
  }).data
}
