import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { UpdaterClient } from '../../../shared/releases/release-check.ts'
import type { CompiledChannel } from '../decision/channel.ts'
import type { FileChoice } from '../decision/view.ts'
import { archOn } from '../decision/view.ts'
import { electronFiles, highestFloor, packageTypeOn } from './electron-files.ts'
import { sparkleFiles, squirrelFiles } from './mac-files.ts'
import { fullPackages } from './packages.ts'

/** The files that Sparkle installs; `arch` is canonical, here as in the others, and null if it is not known. */
export const sparkleChoice = (arch: string | null): FileChoice => ({
  ...{ name: `sparkle ${arch}`, platform: 'darwin' },
  choose: (artifacts) => sparkleFiles(artifacts, arch),
})

/** The files that Squirrel.Mac installs. */
export const squirrelChoice = (arch: string | null): FileChoice => ({
  ...{ name: `squirrel ${arch}`, platform: 'darwin' },
  choose: (artifacts) => squirrelFiles(artifacts, arch),
})

/** The packages that Squirrel.Windows installs. */
export const releasesChoice = (arch: string | null): FileChoice => ({
  ...{ name: `releases ${arch}`, platform: 'windows' },
  choose: (artifacts) => fullPackages(artifacts, 'windows', arch),
})

/** The packages that Velopack installs on a platform. */
export function velopackChoice(platform: string, arch: string | null): FileChoice {
  const canonical = supported(platform)
  return {
    ...{ name: `velopack ${canonical} ${arch}`, platform: canonical },
    choose: (artifacts) => fullPackages(artifacts, canonical, arch),
  }
}

/** The files that electron-updater installs. `packageType`: as `packageTypeOn` returns it. */
export function electronChoice(
  platform: string,
  arch: string | null,
  packageType: string,
): FileChoice {
  const canonical = supported(platform)
  return {
    ...{ name: `electron ${canonical} ${arch} ${packageType}`, platform: canonical },
    choose: (artifacts) => electronFiles(artifacts, canonical, arch, packageType),
    floorOf: highestFloor,
  }
}

/** What a device runs on. `arch` and `bundle` are empty if they are not known. */
interface System {
  readonly platform: string
  readonly arch: string
  readonly bundle: string
}

/** Returns the files that the feed of a client has of a channel's releases; undefined if it reads no feed. */
export function choiceOf(
  client: UpdaterClient,
  channel: CompiledChannel,
  { platform, arch: named, bundle }: System,
): FileChoice | undefined {
  const arch = named === '' ? null : archOn(channel, named)
  switch (client) {
    case 'electron_updater':
      return electronChoice(platform, arch, packageTypeOn(canonicalPlatform(platform), bundle))
    case 'squirrel_mac':
      return squirrelChoice(arch)
    case 'squirrel_windows':
      return releasesChoice(arch)
    case 'sparkle':
      return sparkleChoice(arch)
    case 'velopack':
      return velopackChoice(platform, arch)
    case 'tauri':
    case 'update_check':
      return undefined
  }
}

/** The platforms that updaters with feeds support: there are few choices, whatever callers send. */
const PLATFORMS: readonly string[] = ['windows', 'darwin', 'linux']

/** On another platform, no device matches the files of the choice. */
function supported(platform: string): string {
  const canonical = canonicalPlatform(platform)
  return PLATFORMS.includes(canonical) ? canonical : 'windows'
}
