import type { UpdateManifest } from '../../../shared/releases/manifest.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { CompiledChannel, CompiledRelease, ReleaseFacts } from './channel.ts'
import type { Offer } from './decide.ts'
import { compareVersions, type ParsedVersion } from './version.ts'

const rememberedNotes = new WeakMap<CompiledRelease, Buffer>()

/**
 * Returns the notes of a release as JSON in UTF-8, serialized once per release. All responses share
 * these bytes, so that memory grows with the notes and not with the responses.
 */
function serialiseNotes(release: CompiledRelease): Buffer {
  const known = rememberedNotes.get(release)
  if (known !== undefined) return known
  const bytes = Buffer.from(JSON.stringify(release.facts.notes))
  rememberedNotes.set(release, bytes)
  return bytes
}

/** Returns `{ ...before, notes, ...after }` of a release as JSON in UTF-8, in parts: the notes are shared. Neither object is empty. */
export function serialiseWithNotes(
  release: CompiledRelease,
  before: object,
  after: object,
): readonly [Buffer, Buffer, Buffer] {
  const head = Buffer.from(`${JSON.stringify(before).slice(0, -1)},"notes":`)
  const tail = Buffer.from(`,${JSON.stringify(after).slice(1)}`)
  return [head, serialiseNotes(release), tail]
}

/**
 * Largest notes, in bytes of JSON, that are copied into each manifest of a release: one short text
 * is sent faster than three buffers. Longer notes are shared by all manifests of the release.
 */
const MAX_COPIED_NOTES = 8_192

/** A manifest as JSON, in the two forms in which answers are put together. */
export interface SerialisedManifest {
  /** Null if the notes are long. */
  readonly text: string | null
  /** The same in UTF-8, to be sent in order. */
  readonly parts: readonly Uint8Array[]
  /** Total bytes of all parts. */
  readonly length: number
}

/** The texts of a release's manifests, right as long as the channel's minimum is the same. */
interface Remembered {
  readonly minimumSupportedVersion: string
  /** By artifact; in each list by `required` and `allowDowngrade`, read as a number of two bits. */
  readonly texts: Map<Artifact, (SerialisedManifest | undefined)[]>
}

const remembered = new WeakMap<CompiledRelease, Remembered>()

/** Returns whether an update is required: by the channel's update mode, or for a version below its supported minimum. */
export function isUpdateRequired(channel: CompiledChannel, deviceVersion: ParsedVersion): boolean {
  if (channel.policy.updateMode === 'required') return true
  return compareVersions(deviceVersion, channel.minimumSupported) < 0
}

/** The manifest that offers `artifact` of `release` to a device on `deviceVersion`. */
export function manifestOf(
  channel: CompiledChannel,
  release: CompiledRelease,
  artifact: Artifact,
  deviceVersion: ParsedVersion,
  allowDowngrade: boolean,
): UpdateManifest {
  const required = isUpdateRequired(channel, deviceVersion)
  return composeManifest(channel, release, artifact, required, allowDowngrade)
}

/** The same manifest as JSON, remembered while release and channel minimum stay the same. `required`: see `isUpdateRequired`. */
export function serialiseManifest(
  channel: CompiledChannel,
  release: CompiledRelease,
  artifact: Artifact,
  required: boolean,
  allowDowngrade: boolean,
): SerialisedManifest {
  const texts = textsOf(channel, release, artifact)
  const variant = (required ? 2 : 0) + (allowDowngrade ? 1 : 0)
  const known = texts[variant]
  if (known !== undefined) return known
  const manifest = composeManifest(channel, release, artifact, required, allowDowngrade)
  const serialised = serialise(manifest, release)
  texts[variant] = serialised
  return serialised
}

/** What a device on `deviceVersion` is answered that gets the offer. */
export function serialiseOffer<Facts extends ReleaseFacts>(
  channel: CompiledChannel<Facts>,
  { release, artifact, allowDowngrade }: Offer<Facts>,
  deviceVersion: ParsedVersion,
): SerialisedManifest {
  const required = isUpdateRequired(channel, deviceVersion)
  return serialiseManifest(channel, release, artifact, required, allowDowngrade)
}

function serialise(manifest: UpdateManifest, release: CompiledRelease): SerialisedManifest {
  if (serialiseNotes(release).length <= MAX_COPIED_NOTES) {
    const text = JSON.stringify(manifest)
    const bytes = Buffer.from(text)
    return { text, parts: [bytes], length: bytes.length }
  }
  const { version, notes: _notes, ...rest } = manifest
  const parts = serialiseWithNotes(release, { version }, rest)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return { text: null, parts, length }
}

function textsOf(
  { minimumSupported }: CompiledChannel,
  release: CompiledRelease,
  artifact: Artifact,
): (SerialisedManifest | undefined)[] {
  let known = remembered.get(release)
  if (known?.minimumSupportedVersion !== minimumSupported.text) {
    known = { minimumSupportedVersion: minimumSupported.text, texts: new Map() }
    remembered.set(release, known)
  }
  let texts = known.texts.get(artifact)
  if (texts === undefined) {
    texts = [undefined, undefined, undefined, undefined]
    known.texts.set(artifact, texts)
  }
  return texts
}

function composeManifest(
  channel: CompiledChannel,
  release: CompiledRelease,
  artifact: Artifact,
  required: boolean,
  allowDowngrade: boolean,
): UpdateManifest {
  return {
    version: release.version.text,
    notes: release.facts.notes,
    pub_date: release.facts.createdAt,
    url: artifact.url,
    sha512: artifact.sha512,
    signature: artifact.signature,
    size: artifact.size,
    updateMode: required ? 'required' : 'optional',
    minimumSupportedVersion: channel.minimumSupported.text,
    allowDowngrade,
  }
}
