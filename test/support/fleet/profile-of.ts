import type { InstallProfile } from '../../../src/server/fleet/facts.ts'
import type { DeviceReads } from '../../../src/server/fleet/store.ts'

/** Reads the profile of one device; undefined if it is unknown. */
export async function profileOf(
  fleet: Pick<DeviceReads, 'profilesOf'>,
  appKey: number,
  deviceId: string,
): Promise<InstallProfile | undefined> {
  const [profile] = await fleet.profilesOf(appKey, [deviceId])
  return profile
}
