import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import { type ParsedVersion, UNKNOWN_VERSION } from '../../rules/decision/version.ts'
import {
  type ChannelView,
  ChannelViews,
  type FileChoice,
  filesOf,
} from '../../rules/decision/view.ts'
import type { CheckForUpdate, CheckResult, UpdateCheck } from './check-for-update.ts'
import { type Installation, installationOn } from './installation.ts'

/** An installation whose updater reads a feed and installs only some kinds of files. */
export interface FeedInstallation extends Installation {
  /** The same without its version, on the releases that are at 100%. */
  readonly rolledOut: Installation
  /** The release of its version; null if the channel has none that the client can install. */
  readonly own: ServedRelease | null
}

export interface FeedCheck extends UpdateCheck {
  readonly installation: FeedInstallation
  /** True if the client fails on a feed without a release. */
  readonly mustList: boolean
}

/** A release in a feed. `filesOf` has its files. */
export interface Listing {
  readonly channel: CatalogChannel
  readonly release: ServedRelease
  /** False if it is listed only because the feed must list a release. */
  readonly isOffer: boolean
}

/** The release that the feed of a device has; null for none. */
export type ListingResult = Listing | null

export type CheckFeed = (check: FeedCheck) => ListingResult | Promise<ListingResult>

const views = new ChannelViews<ReleaseRecord>()

/** Returns the channel as a client sees it that installs the chosen files. */
export function viewInFeed(
  { compiled }: CatalogChannel,
  choice: FileChoice,
): ChannelView<ReleaseRecord> {
  return views.of(compiled, choice)
}

/** Returns the installation for a client of the chosen files; `arch` empty and `version` unknown if it names none. */
export function installationInFeed(
  channel: CatalogChannel,
  version: ParsedVersion,
  platform: string,
  arch: string,
  choose: (channel: CatalogChannel) => FileChoice,
): FeedInstallation {
  const on = (running: ParsedVersion, part: keyof ChannelView) =>
    installationOn(channel, running, platform, arch, (current) => {
      return viewInFeed(current, choose(current))[part]
    })
  const installation = on(version, 'channel')
  const own = installation.served.releases.find(
    (release) => release.version.text === version.text && filesOf(release).length > 0,
  )
  return { ...installation, rolledOut: on(UNKNOWN_VERSION, 'rolledOut'), own: own ?? null }
}

/**
 * The check of a client that reads a feed (docs/api.md, "Update feeds"): the update check, but where the feed must list
 * a release and the device is offered none, it is the release that the device runs, else the latest at 100%. Answers
 * and rejects as the update check does.
 */
export function createCheckFeed(checkForUpdate: CheckForUpdate): CheckFeed {
  function conclude(check: FeedCheck, result: CheckResult): ReturnType<CheckFeed> {
    if (result !== null) return listingOf(result, true)
    const { installation, mustList } = check
    const { channel, version, rolledOut, own } = installation
    if (!mustList || version === UNKNOWN_VERSION) return null
    if (own !== null) return { channel, release: own, isOffer: false }
    const latest = checkForUpdate({ ...check, installation: rolledOut, alreadyRecorded: true })
    return latest instanceof Promise
      ? latest.then((late) => listingOf(late, false))
      : listingOf(latest, false)
  }

  return (check) => {
    const result = checkForUpdate(check)
    return result instanceof Promise
      ? result.then((late) => conclude(check, late))
      : conclude(check, result)
  }
}

function listingOf(result: CheckResult, isOffer: boolean): ListingResult {
  return result && { channel: result.channel, release: result.decision.release, isOffer }
}
