import { issueOf } from '../../../shared/issue.ts'
import { Arch, DeviceId, type LabelMap, Labels, Platform, Version } from '../../../shared/names.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { invalid } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { parseVersion } from '../../decision/version.ts'
import { type Installation, installationOn } from '../../updates/installation.ts'
import { text } from '../strings.ts'

const PARTS = { platform: Platform, arch: Arch, version: Version } as const

/** Most paths that are remembered. A fleet uses a few hundred: channels × platforms × versions. */
const MAX_REMEMBERED = 10_000

/** Reads the paths of update checks, each once: a fleet repeats few of them. */
export class CheckPaths {
  readonly #remembered = new Map<string, Installation>()
  #snapshot: Snapshot | undefined

  /**
   * Reads `/u/{appRef}/{channel}/{platform}/{arch}/{version}`, percent-encoded as it came. Answers
   * undefined if the path has another shape. Throws the refusals `unknown` and `invalid`.
   */
  read(path: string, snapshot: Snapshot): Installation | undefined {
    if (this.#snapshot !== snapshot) {
      this.#remembered.clear()
      this.#snapshot = snapshot
    }
    const known = this.#remembered.get(path)
    if (known !== undefined) return known
    // A copy: what is cut from a URL keeps all of the URL in memory for as long as it is remembered.
    const own = Buffer.from(path, 'latin1').toString('latin1')
    const fresh = this.#parse(own, snapshot)
    if (fresh === undefined) return undefined
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(own, fresh)
    return fresh
  }

  #parse(path: string, snapshot: Snapshot): Installation | undefined {
    const parts = path.split('/')
    if (parts.length === 8 && parts[7] === '') parts.pop()
    const [, , appRef, channelName, ...device] = parts.map(decode)
    if (parts.length !== 7 || appRef === undefined || channelName === undefined) return undefined
    const channel = requireChannel(requireApp(snapshot, appRef), channelName)
    const platform = readPart('platform', device[0])
    const arch = readPart('arch', device[1])
    const version = parseVersion(readPart('version', device[2]))
    return installationOn(channel, version, platform, arch)
  }
}

/** The device identifier of a check: null if the header is absent or empty. */
export function readDeviceHeader(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null
  const result = DeviceId.safeParse(header)
  if (result.success) return result.data
  throw invalid({ path: ['X-Service-Device'], reason: issueOf(result.error, header).reason })
}

/** The labels `l.<key>=<value>` of a query, the last of each key; undefined if there is none. */
export function readLabels(query: string): LabelMap | undefined {
  if (!query.includes('.') && !query.includes('%')) return undefined
  const sent = [...new URLSearchParams(query)].filter(([name]) => name.startsWith('l.'))
  const labels = Object.fromEntries(sent.map(([name, value]) => [name.slice(2), value]))
  const result = Labels.safeParse(labels)
  if (!result.success) {
    const { path, reason } = issueOf(result.error, labels)
    throw invalid({ path: ['l', ...path], reason })
  }
  return Object.keys(labels).length === 0 ? undefined : labels
}

function readPart(name: keyof typeof PARTS, given: string | undefined): string {
  const result = PARTS[name].safeParse(given)
  if (result.success) return result.data
  throw invalid({ path: [name], reason: issueOf(result.error, given).reason })
}

function decode(part: string): string {
  try {
    return part.includes('%') ? decodeURIComponent(part) : part
  } catch {
    throw invalid({ path: ['path'], reason: text.request.path })
  }
}
