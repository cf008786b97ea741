import { type Catalog, requireApp, requireChannel } from '../../catalog/catalog.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import { ProfileClaim } from '../../fleet/profile-claim.ts'
import { needsLabels } from '../../rules/decision/candidates.ts'
import type { CompiledChannel } from '../../rules/decision/channel.ts'
import { type ParsedVersion, parseVersion } from '../../rules/decision/version.ts'
import { runningVersion, vouchedBy } from '../approvals/vouching.ts'
import type { ChannelPlace } from '../principal.ts'

/** Returns the channel as the kind of updater that asks sees it, such as with the files alone that it can install. */
export type View = (channel: CatalogChannel) => CompiledChannel<ReleaseRecord>

/** What runs on a device, as an update check names it. Equal checks can share one while the catalog stays the same. */
export interface Installation {
  readonly channel: CatalogChannel
  /** What is decided on: the channel, or the view of it. */
  readonly served: CompiledChannel<ReleaseRecord>
  readonly view: View | null
  readonly version: ParsedVersion
  readonly platform: string
  readonly arch: string
  readonly profile: ProfileClaim
  /** True if a decision on it depends on the device's labels. */
  readonly needsLabels: boolean
}

/** What runs on a device, as the names are written in addresses; `version` is canonical. */
export interface InstallationNames extends ChannelPlace {
  readonly version: string
  readonly platform: string
  readonly arch: string
}

/** Returns the installation in the current state of the catalog. Throws `unknown` (app, channel). */
export function findInstallation(
  { catalog }: { readonly catalog: Catalog },
  { app, channel: name, version, platform, arch }: InstallationNames,
): Installation {
  const channel = requireChannel(requireApp(catalog.snapshot, app), name)
  return installationOn(channel, parseVersion(version), platform, arch)
}

/** Returns the installation of a version on a channel; `arch` is empty and `version` unknown if not named. */
export function installationOn(
  channel: CatalogChannel,
  version: ParsedVersion,
  platform: string,
  arch: string,
  view: View | null = null,
): Installation {
  const namedBy = vouchedBy(channel, version, platform, arch)
  const served = view === null ? channel.compiled : view(channel)
  const running = runningVersion(version)
  return {
    channel,
    served,
    view,
    version,
    platform,
    arch,
    profile: new ProfileClaim(channel.record.key, running, platform, arch, namedBy),
    needsLabels: needsLabels(served, version),
  }
}

/** Returns the same installation in another state of the catalog. Throws `unknown` when the channel is gone. */
export function installationIn(snapshot: Snapshot, installation: Installation): Installation {
  const { channel: before, version, platform, arch, view } = installation
  const channel = requireChannel(requireApp(snapshot, before.app.ref), before.record.name)
  return channel === before ? installation : installationOn(channel, version, platform, arch, view)
}
