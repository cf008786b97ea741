import { OTHER } from '../../../shared/devices/counting.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { CLIENT_FILES } from '../../rules/updaters/clients.ts'
import type { AskingDevice } from '../asking.ts'

/** An update of a device from what it runs to another release. */
export interface Hop {
  readonly client: UpdaterClient
  readonly device: AskingDevice
  /** Undefined if it is not known. */
  readonly running: ServedRelease | undefined
  readonly release: ServedRelease
}

/** Returns the file of a release that a device installs; undefined if there is none. */
export function fileOf(
  { client, device: { platform, arch, bundle } }: Pick<Hop, 'client' | 'device'>,
  { facts }: ServedRelease,
): Artifact | undefined {
  const files = CLIENT_FILES[client].choose(facts.artifacts, platform, arch)
  return files.find(({ kind }) => bundle === OTHER || kind === bundle) ?? files[0]
}
