import { issueOf, parsedBy } from '../../../shared/issue.ts'
import {
  Arch,
  BundleKind,
  DEVICE_ID,
  DeviceId,
  type LabelMap,
  Labels,
  Platform,
  Version,
} from '../../../shared/names.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { invalid } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { parseVersion } from '../../rules/decision/version.ts'
import { type Installation, installationOn } from '../../use-cases/fleet/installation.ts'
import { text } from '../strings.ts'

const PARTS = { platform: Platform, arch: Arch, version: Version } as const

/**
 * Reads `/u/{appRef}/{channel}/{platform}/{arch}/{version}`, percent-encoded as it came. Answers
 * undefined if the path has another shape. Throws the refusals `unknown` and `invalid`.
 */
export function parseCheckPath(path: string, snapshot: Snapshot): Installation | undefined {
  const parts = partsOf(path)
  const [, appRef, channelName, ...device] = parts
  if (parts.length !== 6 || appRef === undefined || channelName === undefined) return undefined
  const channel = requireChannel(requireApp(snapshot, appRef), channelName)
  const platform = readPart('platform', device[0])
  const arch = readPart('arch', device[1])
  const version = parseVersion(readPart('version', device[2]))
  return installationOn(channel, version, platform, arch)
}

/** Returns the parts of a path, decoded: of `/u/editor/` these are `u` and `editor`. Throws `invalid`. */
export function partsOf(path: string): string[] {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  return parts.map(decode)
}
/** The device identifier of a check: null if what carries it, by default the header, is absent or empty. */
export function readDeviceId(
  given: string | string[] | undefined,
  carrier = 'X-Service-Device',
): string | null {
  if (given === undefined || given === '') return null
  // As the schema below has it, which makes objects for every request.
  if (typeof given === 'string' && DEVICE_ID.test(given)) return given
  return parsedBy(DeviceId, given, ({ reason }) => invalid({ path: [carrier], reason }))
}

/** The labels `l.<key>=<value>` of a query, the last of each key; undefined if there is none. */
export function readLabels(query: string): LabelMap | undefined {
  if (!query.includes('l.') && !query.includes('%')) return undefined
  const sent = [...new URLSearchParams(query)].filter(([name]) => name.startsWith('l.'))
  const labels = Object.fromEntries(sent.map(([name, value]) => [name.slice(2), value]))
  const result = Labels.safeParse(labels)
  if (!result.success) {
    const { path, reason } = issueOf(result.error, labels)
    throw invalid({ path: ['l', ...path], reason })
  }
  return Object.keys(labels).length === 0 ? undefined : labels
}

/**
 * The bundle that a query names, in lower case; empty if it names none. What cannot be the name of a kind is ignored,
 * because a device must not lose its updates over it. Plugins of Tauri before 2.10 send `{{bundle_type}}` as it is
 * written, and later ones `unknown` for an app that was not bundled.
 */
export function readBundle(query: string): string {
  if (!query.includes('bundle') && !query.includes('%')) return ''
  const sent = new URLSearchParams(query).getAll('bundle').at(-1)
  const result = BundleKind.safeParse(sent)
  return result.success && result.data !== 'unknown' ? result.data : ''
}

/**
 * Returns whether a query says `manual=1`: that a person asked for the check. Any other value is ignored, because a
 * device must not lose its updates over it.
 */
export function readManual(query: string): boolean {
  if (!query.includes('manual') && !query.includes('%')) return false
  return isManual(new URLSearchParams(query))
}

/** Returns the same for a query that is read already. */
export function isManual(query: URLSearchParams): boolean {
  return query.getAll('manual').at(-1) === '1'
}

/** The version of the operating system that a query states; undefined if it states none. What it means is not checked. */
export function readSystem(query: string): string | undefined {
  if (!query.includes('os') && !query.includes('%')) return undefined
  return systemIn(new URLSearchParams(query))
}

/** Returns the same for a query that is read already. */
export function systemIn(query: URLSearchParams): string | undefined {
  return query.getAll('os').at(-1) || undefined
}

/** Reads the platform, arch or version that an address names. Throws `invalid`, with `path` in place of its name. */
export function readPart(
  name: keyof typeof PARTS,
  given: string | undefined,
  path: string = name,
): string {
  return parsedBy(PARTS[name], given, ({ reason }) => invalid({ path: [path], reason }))
}

function decode(part: string): string {
  try {
    return part.includes('%') ? decodeURIComponent(part) : part
  } catch {
    throw invalid({ path: ['path'], reason: text.request.path })
  }
}

/** Most addresses that are remembered. A fleet uses a few hundred: channels × platforms × versions. */
const MAX_REMEMBERED = 10_000

/** Reads what checks ask for, each address once: a fleet repeats few of them. */
export class RememberedPaths<Asked> {
  readonly #parse: (address: string, snapshot: Snapshot) => Asked | undefined
  readonly #remembered = new Map<string, Asked>()
  #snapshot: Snapshot | undefined

  /** `parse` answers undefined for an address of another shape, and throws refusals. */
  constructor(parse: (address: string, snapshot: Snapshot) => Asked | undefined) {
    this.#parse = parse
  }

  /** Returns what `parse` answers in that state of the catalog. Throws what it throws. */
  read(address: string, snapshot: Snapshot): Asked | undefined {
    if (this.#snapshot !== snapshot) {
      this.#remembered.clear()
      this.#snapshot = snapshot
    }
    const known = this.#remembered.get(address)
    if (known !== undefined) return known
    // A copy: what is cut from a URL keeps all of the URL in memory for as long as it is remembered.
    const own = Buffer.from(address, 'latin1').toString('latin1')
    const fresh = this.#parse(own, snapshot)
    if (fresh === undefined) return undefined
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(own, fresh)
    return fresh
  }
}
