import type { OddVersion } from '../releases/version-verdict.ts'

/** Returns what is odd about a version, a sentence or more. */
export function oddVersionSentence(verdict: OddVersion): string {
  const { version, highest } = verdict
  if (verdict.state === 'first_prerelease') {
    return `${version} is a pre-release, and this channel has had only final versions. It is offered to devices on ${highest} and below.`
  }
  if (verdict.state === 'not_above_for_sparkle') {
    return `Sparkle compares ${verdict.build} with ${verdict.highestBuild} of ${highest}, so apps on ${highest} will not install ${version}. Publish it with a higher build number, such as ${version.split('+')[0]}+<build>.`
  }
  if (verdict.state === 'same_for_electron') {
    return `electron-updater ignores what follows the plus sign, so apps on ${highest} will not install ${version}. Raise another part of the version.`
  }
  if (verdict.downgrades) {
    return `${version} is lower than ${highest}, which was rolled back. Devices on ${highest} will be offered it as a downgrade, which not every updater installs.`
  }
  const offer = 'Devices on a newer version will not be offered it.'
  const below = `${version} is lower than ${highest}, the latest version on this channel.`
  if (verdict.asText === null) return `${below} ${offer}`
  const { lower, higher } = verdict.asText
  const dotted = lower.replace(/\d+$/, '.$&')
  return `${below} ${lower} and ${higher} are compared as text; ${dotted} would be compared as a number. ${offer}`
}
