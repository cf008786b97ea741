import { documentFor } from '../../../shared/artifacts/documents/document.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { minisignParts } from '../../../shared/artifacts/tauri-signature.ts'
import { canonicalArch } from '../../../shared/devices/aliases.ts'
import { isBelowFloor, isSystemVersion } from '../../../shared/devices/system-version.ts'
import type { SignedUpdater } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import type { Fault } from '../clients/reading.ts'
import type { FileFacts } from '../inspect/facts.ts'
import { fileOf, type Hop, insideFaults } from './inside.ts'
import { isAcceptedPublisher } from './publisher.ts'

/** What is known of files, by their SHA-512 in hex. */
export interface KnownFiles {
  readonly facts: ReadonlyMap<string, FileFacts>
  /** Why their last proof failed: the code of the failure. */
  readonly failures: ReadonlyMap<string, string>
}

export const NO_FILES: KnownFiles = { facts: new Map(), failures: new Map() }

/** Returns what is wrong with the file of a release, by itself and beside the file of the release that the device runs. */
export function fileFaults(hop: Hop, known: KnownFiles): Fault[] {
  const next = fileOf(hop, hop.release)
  if (next === undefined) return []
  const before = hop.running && fileOf(hop, hop.running)
  const file = nameOfFile(next)
  const facts = known.facts.get(sha512InHex(next.sha512))
  const own = before && known.facts.get(sha512InHex(before.sha512))
  const failure = known.failures.get(sha512InHex(next.sha512))
  return [
    ...(failure === undefined ? [] : [{ code: 'file_failed', found: failure, file } as const]),
    ...keyFaults(hop, next, before, own),
    ...floorFaults(hop, next, before),
    ...documentFaults(hop),
    ...(facts === undefined ? [] : insideFaults(hop, canonicalArch(next.arch), facts)),
    ...(facts === undefined || own === undefined ? [] : identityFaults(hop, facts, own)),
  ].map((fault) => ({ file, ...fault }))
}

/** An app that runs a release with a signed document may refuse a feed without one. */
function documentFaults({ client, device: { platform, arch }, running, release }: Hop): Fault[] {
  const updater = SIGNED_BY[client]
  if (updater === undefined || running === undefined) return []
  const own = documentFor(running.facts, updater, platform, arch)
  if (own === undefined || documentFor(release.facts, updater, platform, arch)) return []
  return [{ code: 'unsigned', file: own.name }]
}

/** Whose documents are signed. */
const SIGNED_BY: Readonly<Partial<Record<Hop['client'], SignedUpdater>>> = {
  electron_updater: 'electron',
  sparkle: 'sparkle',
}

/** A floor above that of the file that a device runs, whose own system is not known. */
function floorFaults(
  { device: { platform, labels } }: Hop,
  { minimumSystemVersion: expected }: Artifact,
  before: Artifact | undefined,
): Fault[] {
  const own = before?.minimumSystemVersion
  if (expected === undefined || expected === own) return []
  const isRead = (text: string | undefined): text is string =>
    text !== undefined && isSystemVersion(platform, text)
  const known = [labels.os, own].find(isRead)
  const isFit = known !== undefined && isRead(expected) && !isBelowFloor(platform, expected, known)
  return isFit ? [] : [{ code: 'system_unknown', expected }]
}

/** A signature of Tauri by another key than that which the app trusts. */
function keyFaults(
  { client }: Hop,
  { signature }: Artifact,
  before: Artifact | undefined,
  own: FileFacts | undefined,
): Fault[] {
  if (client !== 'tauri') return []
  const found = keyIdOf(signature)
  const expected = own?.tauri?.keyId ?? keyIdOf(before?.signature ?? '')
  if (found === undefined || expected === undefined || found === expected) return []
  return [{ code: 'minisign_key_changed', expected, found }]
}

/** The ID of the key, as minisign writes it. */
function keyIdOf(signature: string): string | undefined {
  const id = minisignParts(signature)?.signed.slice(2, 10)
  return id && Buffer.from(id.toReversed()).toString('hex').toUpperCase()
}

function identityFaults({ client, device }: Hop, facts: FileFacts, own: FileFacts): Fault[] {
  const { platform } = device
  const faults: Fault[] = []
  if (client === 'electron_updater' && platform === 'windows') {
    faults.push(...publisherFaults(facts, own))
  }
  const { appleTeam: expected } = own.publisher
  const { appleTeam: found } = facts.publisher
  // Squirrel.Mac, also within electron-updater, installs nothing that another team signed.
  const isHeld = ['squirrel_mac', 'electron_updater', 'sparkle'].includes(client)
  if (isHeld && platform === 'darwin' && expected && found !== undefined && found !== expected) {
    faults.push({ code: 'team_changed', expected, found: found ?? 'none' })
  }
  return [...faults, ...feedFaults(client, facts, own)]
}

function publisherFaults(facts: FileFacts, own: FileFacts): Fault[] {
  const { authenticode: signer } = facts.publisher
  const { authenticode: before } = own.publisher
  if (signer === undefined) return []
  const named = own.electronUpdate?.publisherName
  // electron-builder writes the publisher of the certificate into the app, unless that can be read and has none.
  const isRead = own.electronUpdate !== undefined
  const names = named ?? (isRead || !before ? undefined : [before.subject])
  const found = signer?.subject
  if (names === undefined || (found !== undefined && isAcceptedPublisher(names, found))) return []
  return [{ code: 'publisher_changed', expected: names.join(' | '), found: found ?? 'none' }]
}

/** An app that asks elsewhere after the update, or nowhere. */
function feedFaults(client: Hop['client'], facts: FileFacts, own: FileFacts): Fault[] {
  if (client === 'sparkle') return changedFeed(own.sparkle?.feedUrl, facts.sparkle?.feedUrl)
  if (client !== 'electron_updater' || !own.electronUpdate) return []
  if (facts.electronUpdate === null) return [{ code: 'updater_missing' }]
  const addressOf = ({ electronUpdate }: FileFacts) =>
    [electronUpdate?.provider, electronUpdate?.url, electronUpdate?.channel]
      .filter((part) => part !== undefined)
      .join(' ')
  return facts.electronUpdate === undefined ? [] : changedFeed(addressOf(own), addressOf(facts))
}

function changedFeed(expected: string | undefined, found: string | undefined): Fault[] {
  if (!expected || !found || expected === found) return []
  return [{ code: 'feed_changed', expected, found }]
}
