import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { FileChoice } from '../decision/view.ts'
import { electronFiles, highestFloor } from './electron-files.ts'
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

/** The packages that Squirrel.Windows and Velopack install on a platform. */
export function packagesOn(platform: string): (arch: string | null) => FileChoice {
  const canonical = supported(platform)
  return (arch) => ({
    ...{ name: `packages ${canonical} ${arch}`, platform: canonical },
    choose: (artifacts) => fullPackages(artifacts, canonical, arch),
  })
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

/** The platforms that updaters with feeds support: there are few choices, whatever callers send. */
const PLATFORMS: readonly string[] = ['windows', 'darwin', 'linux']

/** On another platform, no device matches the files of the choice. */
function supported(platform: string): string {
  const canonical = canonicalPlatform(platform)
  return PLATFORMS.includes(canonical) ? canonical : 'windows'
}
