import { z } from 'zod'
import { compareAsSparkle } from '../../../shared/artifacts/documents/sparkle-order.ts'
import { elementsIn, readXml } from '../../../shared/artifacts/documents/xml.ts'
import { SPARKLE_SIGNATURE } from '../../../shared/artifacts/signature-form.ts'
import { signatureFault, signedVersionOf } from '../../../shared/artifacts/tauri-signature.ts'
import { isInstalledByTauri } from '../../../shared/artifacts/unoffered.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { bundleVersionOf, prepareVersion, readVersion } from '../../../shared/releases/version.ts'
import type { ReleaseFacts } from '../../rules/decision/channel.ts'
import { compareVersions } from '../../rules/decision/version.ts'
import { sparkleFiles } from '../../rules/updaters/choices.ts'
import { CLIENT_FILES } from '../../rules/updaters/clients.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { readElectron } from './electron.ts'
import { readSquirrelWindows, readVelopack } from './packages.ts'
import { type Fault, type OfferedAnswer, type ReadAnswer, readOr } from './reading.ts'

const Manifest = z.looseObject({ version: z.string(), url: z.url(), signature: z.string() })

/** Reads the answer of the update check as an app does that installs any file. */
const readUpdateCheck: ReadAnswer = (answer) =>
  readOr({ code: 'feed_unreadable' }, () => {
    const { version } = Manifest.parse(parsedJson(answer.body))
    return aboutVersion(version, answer)
  })

/** Reads it as Tauri's plugin 2.12 does: `updater.rs`. */
const readTauri: ReadAnswer = (answer) =>
  readOr({ code: 'feed_unreadable' }, () => {
    const { version, url, signature } = Manifest.parse(parsedJson(answer.body))
    const file = nameOfFile({ url })
    if (!isInstalledByTauri(answer.device.platform, file)) return [{ code: 'no_file', file }]
    if (signature === '') return [{ code: 'unsigned', file }]
    const form = signatureFault(signature)
    if (form !== undefined) return [{ code: 'signature_form', found: form, file }]
    const signed = signedVersionOf(signature)
    const isForOther = signed !== undefined && signed !== version
    return [
      ...aboutVersion(version, answer),
      ...(isForOther
        ? [{ code: 'signed_for_other_version', expected: version, found: signed, file } as const]
        : []),
    ]
  })

/** SemVer with build metadata, as Rust orders it. */
function aboutVersion(text: string, { device, release, allowDowngrade }: OfferedAnswer): Fault[] {
  const read = readVersion(text)
  if (!read.ok) return [{ code: 'version_unreadable', found: text }]
  const version = prepareVersion(read.version)
  const expected = release.version.text
  if (version.text !== expected) return [{ code: 'version_mismatch', expected, found: text }]
  const isAbove = allowDowngrade || compareVersions(version, device.version) > 0
  return isAbove ? [] : [{ code: 'version_not_above', found: text }]
}

/** Reads an appcast as Sparkle 2 does: `SUAppcastItem.m`, `SUAppcastDriver.m`. */
const readSparkle: ReadAnswer = ({ body, device, release, running }) => {
  const root = readXml(body)
  const [item] = root === undefined ? [] : elementsIn(root, 'channel', 'item')
  const [enclosure] = item === undefined ? [] : elementsIn(item, 'enclosure')
  const url = enclosure?.attributes.get('url') ?? ''
  if (item === undefined || enclosure === undefined || url === '') {
    return [{ code: 'feed_unreadable' }]
  }
  const element = elementsIn(item, 'sparkle:version')[0]?.text.trim()
  const version = enclosure.attributes.get('sparkle:version') ?? element ?? ''
  if (version === '') return [{ code: 'version_unreadable', found: '' }]
  const faults: Fault[] = []
  const expected = bundleVersionOf(release.version)
  if (version !== expected) faults.push({ code: 'version_mismatch', expected, found: version })
  const own = bundleVersionOf(device.version)
  if (compareAsSparkle(own, version) >= 0) {
    faults.push({ code: 'version_not_above', expected: own, found: version })
  }
  // An app with a public key installs nothing without a signature, and what it runs had one.
  const hadOne = sparkleFiles(running?.facts.artifacts ?? [], device.arch)[0]?.signature
  if (hadOne && (enclosure.attributes.get('sparkle:edSignature') ?? '') === '') {
    faults.push({ code: 'unsigned', file: url })
  }
  return faults
}

/** Reads what Squirrel.Mac is answered, which installs whatever it is given: `SQRLUpdate.m`. */
const readSquirrelMac: ReadAnswer = ({ body }) =>
  readOr({ code: 'feed_unreadable' }, () => {
    z.looseObject({ url: z.url() }).parse(parsedJson(body))
    return []
  })

/** How each updater reads an answer that offers it a release. */
export const READERS: Readonly<Record<UpdaterClient, ReadAnswer>> = {
  update_check: readUpdateCheck,
  tauri: readTauri,
  electron_updater: readElectron,
  squirrel_mac: readSquirrelMac,
  squirrel_windows: readSquirrelWindows,
  sparkle: readSparkle,
  velopack: readVelopack,
}

/** Updaters that never install a lower version. */
export const NEVER_DOWN: ReadonlySet<UpdaterClient> = new Set(['sparkle', 'squirrel_windows'])

/** An updater, and the kind of bundle that it was installed from. */
export interface Installed {
  readonly client: UpdaterClient
  /** `OTHER` if it does not matter, or is not known. */
  readonly bundle: string
}

type Built = Pick<ReleaseFacts, 'artifacts' | 'documents'>

/** Returns the updaters that devices on a canonical platform and arch can have: those that a file of the release is for. */
export function installedFrom(release: Built, platform: string, arch: string): Installed[] {
  const fits = (client: UpdaterClient) => filesFor(client, release.artifacts, platform, arch)
  const signed = SIGNED.filter((client) => fits(client).some((file) => isMadeFor(client, file)))
  const packed = PACKED.filter((client) => fits(client).length > 0 && isListed(client, release))
  const found: UpdaterClient[] = [...signed, ...packed]
  if (found.length === 0) {
    if (fits('electron_updater').some(({ signature }) => signature === '')) {
      found.push('electron_updater')
      if (platform === 'darwin' && !isFromElectronBuilder(release)) found.push('squirrel_mac')
    } else if (fits('update_check').length > 0) found.push('update_check')
  }
  return found.flatMap((client) =>
    bundlesOf(client, fits(client), platform).map((bundle) => ({ client, bundle })),
  )
}

/** Those whose files carry a signature of a form of their own. */
const SIGNED = ['tauri', 'sparkle'] as const
/** Those that install packages. */
const PACKED = ['squirrel_windows', 'velopack'] as const

function filesFor(
  client: UpdaterClient,
  artifacts: readonly Artifact[],
  platform: string,
  arch: string,
): readonly Artifact[] {
  const { platforms, choose } = CLIENT_FILES[client]
  return platforms?.includes(platform) === false ? [] : choose(artifacts, platform, arch)
}

function isMadeFor(client: (typeof SIGNED)[number], { signature }: Artifact): boolean {
  return client === 'tauri' || SPARKLE_SIGNATURE.test(signature)
}

/** Both read the same packages: the list beside them says for which they are, if there is one. */
function isListed(client: (typeof PACKED)[number], { documents = [] }: Built): boolean {
  const lists = documents.filter(({ updater }) => updater === 'squirrel' || updater === 'velopack')
  const updater = client === 'velopack' ? 'velopack' : 'squirrel'
  return lists.length === 0 || lists.some((each) => each.updater === updater)
}

/** On Linux and for Tauri, a release has a file for each kind of bundle. */
function bundlesOf(
  client: UpdaterClient,
  files: readonly Artifact[],
  platform: string,
): readonly string[] {
  const isByKind = client === 'tauri' || (client === 'electron_updater' && platform === 'linux')
  const kinds = files.map(({ kind }) => kind).filter((kind) => kind !== '')
  return isByKind && kinds.length > 0 ? [...new Set(kinds)] : [OTHER]
}

function isFromElectronBuilder({ artifacts, documents = [] }: Built): boolean {
  return (
    documents.some(({ updater }) => updater === 'electron') ||
    artifacts.some(({ extra, platform, url }) => {
      const isInstaller = canonicalPlatform(platform) === 'windows' && /\.exe$/i.test(url)
      return extra?.updater === 'electron' || isInstaller
    })
  )
}
