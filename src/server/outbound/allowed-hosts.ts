import { BlockList, isIP } from 'node:net'
import { type ArtifactHostEntry, readArtifactHost } from '../../shared/files/proving.ts'
import { isPublicAddress, literalAddress } from './address-guard.ts'

/** The ports of an entry without one, by the protocol of the URL. */
const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** What an administrator allows the server to fetch from. */
export class AllowedHosts {
  readonly #entries: readonly ArtifactHostEntry[]
  /** The addresses and ranges that the list names. */
  readonly #named = new BlockList()

  /** `list`: entries as `ArtifactHost` takes them; others are left out. */
  constructor(list: readonly string[]) {
    this.#entries = list.flatMap((text) => readArtifactHost(text) ?? [])
    for (const entry of this.#entries) addTo(this.#named, entry)
  }

  /** Returns whether the list has the host of a URL, on its port. */
  hasHost(url: URL): boolean {
    const port = url.port === '' ? USUAL_PORTS[url.protocol] : Number(url.port)
    const isUsual = port === USUAL_PORTS[url.protocol]
    const literal = literalAddress(url)
    return this.#entries.some((entry) => {
      const wanted = entry.kind === 'range' ? null : entry.port
      if (wanted === null ? !isUsual : port !== wanted) return false
      if (entry.kind === 'name') return url.hostname.replace(/\.$/, '') === entry.name
      return literal !== undefined && isIn(literal, listOf(entry))
    })
  }

  /** Returns whether a connection may go to an address: one on the internet, or one that the list names. */
  hasAddress(address: string): boolean {
    return isPublicAddress(address) || isIn(address, this.#named)
  }
}

/** Returns whether an entry opens addresses that are not on the internet. */
export function opensPrivate(text: string): boolean {
  const entry = readArtifactHost(text)
  if (entry?.kind === 'address') return !isPublicAddress(entry.address)
  // Of a range, the first address says nothing about the others.
  return entry?.kind === 'range'
}

function listOf(entry: ArtifactHostEntry): BlockList {
  const list = new BlockList()
  addTo(list, entry)
  return list
}

function addTo(list: BlockList, entry: ArtifactHostEntry): void {
  if (entry.kind === 'address') list.addAddress(entry.address, familyOf(entry.address))
  if (entry.kind === 'range') list.addSubnet(entry.network, entry.prefix, familyOf(entry.network))
}

function isIn(address: string, list: BlockList): boolean {
  const [bare = ''] = address.split('%')
  return isIP(bare) !== 0 && list.check(bare, familyOf(bare))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
