import { signatureFault } from '../../../shared/artifacts/tauri-signature.ts'
import { isInstalledByTauri } from '../../../shared/artifacts/unoffered.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import { KNOWN_KINDS } from '../../../shared/names.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { ReleaseCheckCode } from '../../../shared/releases/release-check.ts'
import { findArtifact, indexArtifacts, kindsFor } from '../decision/artifacts.ts'
import type { CompiledChannel } from '../decision/channel.ts'
import { archOn, type FileChoice } from '../decision/view.ts'
import {
  electronChoice,
  isForSparkle,
  packagesOn,
  SPARKLE_FORMS,
  SQUIRREL_FORMS,
  sparkleChoice,
  sparkleFiles,
  squirrelChoice,
  squirrelFiles,
} from './choices.ts'
import { deltaOf } from './delta-chain.ts'
import { electronFiles, electronForms, packageTypeOn } from './electron-files.ts'
import { type FileForm, hasForm, nameOfFile } from './files.ts'
import { fullPackages, isDelta, PACKAGE, packageFault, packageOf } from './packages.ts'

/** What a family of updater clients gets of a release, as the update check and the feeds choose it. */
interface ClientFiles {
  /** Canonical; undefined for all. */
  readonly platforms?: readonly string[]
  /** Returns the files that a device is offered on a canonical platform and arch. */
  choose(artifacts: readonly Artifact[], platform: string, arch: string): readonly Artifact[]
  /** Returns why a file is never offered to this client on its platform; null if it can be. */
  fault(artifact: Artifact, platform: string): ReleaseCheckCode | null
  /** Returns the files that its feed has for devices of an arch, null if that is not known; absent if it reads no feed. */
  feed?(arch: string | null, system: System): FileChoice
}

/** What a device runs on. `arch` and `bundle` are empty if they are not known. */
interface System {
  readonly platform: string
  readonly arch: string
  readonly bundle: string
}

export const CLIENT_FILES: Readonly<Record<UpdaterClient, ClientFiles>> = {
  update_check: { choose: updateCheckFiles, fault: () => null },
  tauri: {
    platforms: ['windows', 'darwin', 'linux'],
    choose: (artifacts, platform, arch) =>
      updateCheckFiles(artifacts, platform, arch).filter((each) => tauriFault(each) === null),
    fault: tauriFault,
  },
  electron_updater: {
    platforms: ['windows', 'darwin', 'linux'],
    choose: (artifacts, platform, arch) => electronFiles(artifacts, platform, arch, ''),
    fault: (artifact, platform) => formFault(artifact, electronForms(platform)),
    feed: (arch, { platform, bundle }) =>
      electronChoice(platform, arch, packageTypeOn(canonicalPlatform(platform), bundle)),
  },
  squirrel_mac: {
    platforms: ['darwin'],
    choose: (artifacts, _, arch) => squirrelFiles(artifacts, arch).slice(0, 1),
    fault: (artifact) => formFault(artifact, SQUIRREL_FORMS),
    feed: squirrelChoice,
  },
  squirrel_windows: {
    platforms: ['windows'],
    choose: packages,
    fault: ofPackage,
    feed: packagesOn('windows'),
  },
  sparkle: {
    platforms: ['darwin'],
    choose: (artifacts, _, arch) => sparkleFiles(artifacts, arch).slice(0, 1),
    fault: (artifact) =>
      formFault(artifact, SPARKLE_FORMS) ?? (isForSparkle(artifact) ? null : 'signature_form'),
    feed: sparkleChoice,
  },
  velopack: {
    platforms: ['windows', 'darwin', 'linux'],
    choose: packages,
    fault: ofPackage,
    feed: (arch, { platform }) => packagesOn(platform)(arch),
  },
}

/** Returns the files that the feed of a client has of a channel's releases; undefined if it reads no feed. */
export function choiceOf(
  client: UpdaterClient,
  channel: CompiledChannel,
  system: System,
): FileChoice | undefined {
  return CLIENT_FILES[client].feed?.(
    system.arch === '' ? null : archOn(channel, system.arch),
    system,
  )
}

function formFault(artifact: Artifact, forms: readonly FileForm[]): 'not_installed' | null {
  return forms.some((form) => hasForm(artifact, form)) ? null : 'not_installed'
}

/** The lists of packages have the best one, and its delta package for devices that run the release that it changes. */
function packages(artifacts: readonly Artifact[], platform: string, arch: string): Artifact[] {
  const [full] = fullPackages(artifacts, platform, arch)
  if (full === undefined) return []
  const delta = deltaOf(artifacts, full)
  return delta !== undefined && packageOf(delta)?.base !== undefined ? [full, delta] : [full]
}

function ofPackage(artifact: Artifact): ReleaseCheckCode | null {
  if (isDelta(artifact)) return packageFault(artifact)
  return formFault(artifact, [PACKAGE]) ?? packageFault(artifact)
}

/**
 * Returns the files that the update check answers with on a canonical platform and arch, first the one for a device that does
 * not name the bundle that it was installed from.
 */
function updateCheckFiles(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string,
): Artifact[] {
  const index = indexArtifacts(artifacts)
  const bundles = ['', ...kindsFor(index, platform, arch), ...KNOWN_KINDS]
  const found = bundles.flatMap((bundle) => findArtifact(index, platform, arch, bundle) ?? [])
  return [...new Set(found)]
}

/** Returns why Tauri's plugin does not install a file that the update check answers with; null if it does. */
function tauriFault(artifact: Artifact): 'not_installed' | 'unsigned' | 'signature_form' | null {
  const { platform, signature } = artifact
  if (!isInstalledByTauri(canonicalPlatform(platform), nameOfFile(artifact))) return 'not_installed'
  if (signature === '') return 'unsigned'
  return signatureFault(signature) === undefined ? null : 'signature_form'
}
