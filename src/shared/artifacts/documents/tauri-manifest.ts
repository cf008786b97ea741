import { load, YAMLException } from 'js-yaml'
import { z } from 'zod'
import { parsedJson } from '../../basics/parsed-json.ts'
import { ANY_ARCH, canonicalArch, isKnownArch, usualKinds } from '../../devices/aliases.ts'
import type { ArtifactDetails } from '../../files/artifact-details.ts'
import { encodedAddress, fileNameOf } from '../address.ts'
import { type ArtifactDraft, newArtifact } from '../artifact.ts'
import { guessArch, guessTarget } from '../guess.ts'
import {
  type Candidate,
  type ImportRemark,
  type ImportResult,
  keepOnePerTarget,
} from '../imported.ts'
import { isVelopackList } from '../unoffered.ts'

const Manifest = z
  .looseObject({
    version: z.string().optional(),
    // The plugin takes this for the version as well.
    name: z.string().optional(),
    notes: z.string().nullish(),
    platforms: z.record(
      z.string(),
      z.looseObject({ signature: z.string().nullish(), url: z.string() }),
    ),
  })
  .transform(({ version, name, notes, platforms, pub_date: _, ...members }) => {
    return { version: version ?? name, notes, platforms, members }
  })

/**
 * Reads the static `latest.json` of the Tauri updater. It holds no SHA-512 and no size: those
 * fields of the artifacts stay empty. An entry without a bundle, which is for older plugins, is left out where it is
 * the same file as the platform's usual bundle: devices that name no bundle get that one.
 */
export function readTauriManifest(manifest: string, text: string): ImportResult {
  // What Windows editors put first is no part of the text.
  const json = text.replace(/^\uFEFF/, '')
  const content = parsedJson(json)
  if (content === undefined) return { ok: false, fault: 'not_json' }
  const result = Manifest.safeParse(content)
  if (!result.success || result.data.version === undefined) {
    return { ok: false, fault: isVelopackList(content) ? 'not_packages' : 'not_tauri' }
  }
  const { version, notes, platforms, members } = result.data
  const found = [...namedTwice(manifest, json), ...notServed(manifest, '', members)]
  const entries = Object.entries(platforms).flatMap(
    ([entry, { url: written, signature, ...file }]) => {
      const url = encodedAddress(written)
      const target = readTauriTarget(entry, url)
      if (target === undefined) {
        found.push({ code: 'unknown_platform', manifest, entry })
        return []
      }
      found.push(...notServed(manifest, entry, file))
      const details = detailsWith(file, members)
      return [{ ...target, entry, url, signature: signature?.trim() ?? '', details }]
    },
  )
  const candidates = entries.map((each): Candidate => {
    const { platform, arch, url, signature, details, entry, assumedArch } = each
    const draft = newArtifact({
      ...{ platform, arch, url, signature, details },
      kind: kindOfEntry(each, entries),
      listed: { ...{ format: 'tauri', manifest, version, entry }, sha512: '', assumedArch },
    })
    return { name: entry, draft, rank: 0 }
  })
  const { artifacts, remarks } = keepOnePerTarget(
    manifest,
    candidates.filter(({ draft }) => !isUsual(draft, candidates)),
  )
  return {
    ok: true,
    release: {
      ...{ version, notes: notes ?? '', stagingPercentage: null, artifacts },
      remarks: [...found, ...remarks],
    },
  }
}

/** The first name that an object of the manifest has twice. `JSON.parse` takes the last one without a word; YAML does not. */
function namedTwice(manifest: string, json: string): ImportRemark[] {
  try {
    load(json)
  } catch (error) {
    if (error instanceof YAMLException && error.reason === 'duplicated mapping key') {
      const [entry = ''] = /^[^"]*/.exec(json.slice(error.mark?.position)) ?? []
      return [{ code: 'named_twice', manifest, entry }]
    }
  }
  return []
}

type Members = Readonly<Record<string, unknown>>

/** The update check has no other members than those of the API. */
function notServed(manifest: string, entry: string, members: Members): ImportRemark[] {
  const names = Object.keys(members)
  return names.length === 0 ? [] : [{ code: 'not_served', manifest, entry, members: names }]
}

function detailsWith(file: Members, manifest: Members): ArtifactDetails {
  if (Object.keys(file).length + Object.keys(manifest).length === 0) return {}
  return { extra: { updater: 'tauri', file, manifest } }
}

/**
 * Returns whether an entry names no bundle, and another one is the same file as the usual bundle of the platform. On Windows, where
 * the plugin installs either bundle, it is also for devices whose own is not there.
 */
function isUsual(draft: ArtifactDraft, candidates: readonly Candidate[]): boolean {
  if (draft.kind !== '') return false
  const others = candidates
    .map((each) => each.draft)
    .filter(({ platform, arch }) => platform === draft.platform && arch === draft.arch)
  const [usual] = usualKinds(draft.platform)
  const isThere = others.some(({ kind, url }) => kind === usual && url === draft.url)
  return isThere && (draft.platform !== 'windows' || others.some(({ kind }) => kind === 'msi'))
}

/** Devices and bundle that a key of `platforms` means. */
interface TauriTarget {
  readonly platform: string
  readonly arch: string
  /** Empty if the key names none. */
  readonly kind: string
  /** The arch, if neither key nor file name has it; else empty. */
  readonly assumedArch: string
}

/** Systems in keys, and the arch that two of them imply. Apps can set a target of their own beside those of the plugin. */
const SYSTEMS: Readonly<Record<string, readonly [platform: string, arch?: string]>> = {
  linux: ['linux'],
  linux64: ['linux', 'x86_64'],
  darwin: ['darwin'],
  macos: ['darwin'],
  mac: ['darwin'],
  windows: ['windows'],
  win: ['windows'],
  win64: ['windows', 'x86_64'],
}

/** The bundles that the plugin names in keys. */
const BUNDLES: readonly string[] = ['app', 'appimage', 'deb', 'rpm', 'msi', 'nsis']
/** Other endings that people put into keys. The name of the file says which bundle that is. */
const ENDINGS: readonly string[] = ['exe', 'tgz', 'targz', 'gz', 'zip', 'dmg', 'pkg', 'archive']

/**
 * Reads a key of `platforms`: `os-arch`, since Tauri 2.10 also `os-arch-bundle`, and what apps with a target of their own
 * use, such as `macos-aarch64-tgz` or `win64`. Returns undefined if its system is unknown.
 */
function readTauriTarget(key: string, url: string): TauriTarget | undefined {
  const [system = '', ...rest] = key.toLowerCase().split('-')
  const known = SYSTEMS[system]
  if (known === undefined || rest.length > 2 || rest.some((part) => !/^\w+$/.test(part))) {
    return undefined
  }
  const [platform, implied] = known
  const file = fileNameOf(url)
  const namesArch = rest.length === 2 || (rest.length === 1 && !isBundle(rest[0] ?? ''))
  const named = (namesArch ? rest[0] : implied) ?? guessArch(file, platform)
  const assumedArch = named === '' ? (platform === 'darwin' ? ANY_ARCH : 'x86_64') : ''
  const arch = named || assumedArch
  return {
    ...{ platform, assumedArch },
    arch: isKnownArch(arch) && canonicalArch(arch) === ANY_ARCH ? ANY_ARCH : arch,
    kind: kindOf(rest.slice(namesArch ? 1 : 0)[0], file),
  }
}

function isBundle(part: string): boolean {
  return BUNDLES.includes(part) || ENDINGS.includes(part)
}

function kindOf(part: string | undefined, file: string): string {
  if (part === undefined || BUNDLES.includes(part)) return part ?? ''
  return guessTarget(file).kind || (part === 'exe' ? 'nsis' : part)
}

/** An entry of `platforms`, as far as its bundle goes. */
type Entry = Pick<TauriTarget, 'platform' | 'arch' | 'kind'> & { readonly url: string }

/**
 * Returns the kind of an entry: where its key names none, that of its file, unless devices that name no bundle would then
 * get another one. The plugin installs either bundle on Windows; on Linux, it refuses all but that of the device.
 */
function kindOfEntry(entry: Entry, all: readonly Entry[]): string {
  const { platform, arch, kind, url } = entry
  if (kind !== '' || platform === 'windows') return kind
  const own = guessTarget(fileNameOf(url)).kind
  const others = all.filter(
    (other) => other !== entry && other.platform === platform && other.arch === arch,
  )
  const isUsual = usualKinds(platform)[0] === own
  const isTaken = others.some((other) => other.kind === own)
  return !isTaken && (isUsual || others.length === 0) ? own : ''
}
