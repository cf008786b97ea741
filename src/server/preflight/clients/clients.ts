import { SPARKLE_SIGNATURE } from '../../../shared/artifacts/signature-form.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { ReleaseFacts } from '../../rules/decision/channel.ts'
import { CLIENT_FILES } from '../../rules/updaters/clients.ts'
import { readElectron } from './electron.ts'
import { readSparkle, readSquirrelMac, readTauri, readUpdateCheck } from './manifests.ts'
import { readSquirrelWindows, readVelopack } from './packages.ts'
import type { ReadAnswer } from './reading.ts'

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

/**
 * Returns the updaters that devices on a canonical platform and arch can have that run a release, because its files are for
 * them: devices name neither. Empty if none of its files is for them.
 */
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
