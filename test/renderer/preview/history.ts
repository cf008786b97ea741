import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { ProfileClaim } from '../../../src/server/fleet/profile-claim.ts'

const HOUR = 3_600_000
/** Days ago that each version came out. */
export const CAME: Readonly<Record<string, number>> = {
  '2.0.3': 34,
  '2.1.0': 20,
  '2.2.0': 9,
  '2.3.0': 2,
  '2.4.0-beta.1': 12,
  '2.4.0-beta.2+build.118': 3,
}
const STABLE = ['2.3.0', '2.2.0', '2.1.0', '2.0.3']
const PLATFORMS = [
  ['darwin', 'aarch64'],
  ['windows', 'x86_64'],
  ['windows', 'x86_64'],
  ['linux', 'x86_64'],
  ['darwin', 'x86_64'],
] as const

/** Five weeks of 320 devices that ask by day more than by night, and take a release in some days. */
export async function recordHistory(
  { consoleContext: { catalog, fleet } }: RunningServer,
  turnBack: (milliseconds: number) => void,
): Promise<void> {
  const app = catalog.snapshot.appByName.get('editor')
  const channel = app?.channels.get('stable')?.record.key
  if (app === undefined || channel === undefined) throw new Error('the app comes first')
  for (let hours = 33 * 24; hours > 0; hours--) {
    turnBack(hours * HOUR)
    const awake = 1 + Math.sin(((catalog.now() / HOUR) % 24) * (Math.PI / 12) - 2)
    for (let device = 0; device < 320; device++) {
      if ((device * 7 + hours * 13) % 40 > awake * 7) continue
      const patience = (device % 23) / 4
      const version = STABLE.find((name) => {
        const share = name === '2.3.0' ? 25 : 100
        return (device * 31) % 100 < share && (CAME[name] ?? 0) * 24 - patience * 24 >= hours
      })
      const [platform, arch] = PLATFORMS[device % PLATFORMS.length] ?? ['linux', 'x86_64']
      fleet.record({
        appKey: app.record.key,
        deviceId: device % 40 === 39 ? null : `harbour-${device}`,
        profile: new ProfileClaim(channel, version ?? '2.0.3', platform, arch),
        at: catalog.now(),
        source: 'check',
        reason: (device + hours) % 9 === 0 ? 'update' : 'up_to_date',
      })
    }
    if (hours % 24 === 0) await fleet.settled()
  }
  turnBack(0)
  await fleet.settled()
}
