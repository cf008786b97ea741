import type { CheckIn } from '../../../../fleet/check-in.ts'
import type { DeviceName, InstallProfile } from '../../../../fleet/facts.ts'
import type { ProfileClaim } from '../../../../fleet/profile-claim.ts'
import { completed } from '../../../shared/ingest/completed-report.ts'
import type { KnownProfile } from '../../../shared/memory/profile-tree.ts'
import type { BatchDevices } from './batch-devices.ts'
import { ByDevice, byName, type Fact } from './fact.ts'
import { type KnownProfiles, otherOf, type WantedProfile } from './known-profiles.ts'
import type { Offer } from './known-releases.ts'

/** A device that facts name. */
export interface NamedDevice extends DeviceName {
  /** Its check-in, if the facts have nothing else of it but labels. */
  only: CheckIn | undefined
  isLabelled: boolean
}

/** Returns the devices that facts name, in the order in which every node locks them. */
export function namedDevices(facts: readonly Fact[]): NamedDevice[] {
  const known = new ByDevice<NamedDevice>()
  const devices: NamedDevice[] = []
  const seen = new Set<NamedDevice>()
  for (const fact of facts) {
    const name = nameOf(fact)
    if (name === undefined) continue
    const { appKey, deviceId } = name
    let device = known.get(appKey, deviceId)
    if (device === undefined) {
      device = { appKey, deviceId, only: undefined, isLabelled: false }
      known.set(appKey, deviceId, device)
      devices.push(device)
    }
    if (fact.kind === 'labels' || (fact.kind === 'check_in' && fact.labels !== undefined)) {
      device.isLabelled = true
    }
    if (fact.kind === 'labels') continue
    device.only = fact.kind === 'check_in' && !seen.has(device) ? fact.checkIn : undefined
    seen.add(device)
  }
  return devices.sort(byName)
}

/** Returns the releases that devices were offered. */
export function offersOf(facts: readonly Fact[]): Offer[] {
  return facts.flatMap((fact) => {
    const offered = fact.kind === 'check_in' ? fact.checkIn.offered : undefined
    return fact.kind !== 'check_in' || offered === undefined
      ? []
      : [{ release: offered, at: fact.checkIn.at }]
  })
}

/** A check-in, or a report completed to one. */
export interface Sent {
  readonly checkIn: CheckIn
  readonly fact: Fact
}

/** Returns check-ins and reports, the latter completed with what is known of their devices by then. */
export function sentOf(
  facts: readonly Fact[],
  devices: BatchDevices,
  profiles: KnownProfiles,
): Sent[] {
  const latest = new ByDevice<InstallProfile>()
  const profileOf = (appKey: number, deviceId: string) =>
    latest.get(appKey, deviceId) ??
    profiles.get(devices.table.profile(devices.find(appKey, deviceId)))
  const hasReports = facts.some(({ kind }) => kind === 'report')
  const sent: Sent[] = []
  for (const fact of facts) {
    if (fact.kind !== 'check_in' && fact.kind !== 'report') continue
    const checkIn = fact.kind === 'check_in' ? fact.checkIn : completed(fact.report, { profileOf })
    sent.push({ checkIn, fact })
    const { appKey, deviceId, profile } = checkIn
    if (hasReports && deviceId !== null) latest.set(appKey, deviceId, profile)
  }
  return sent
}

/** Finds the profile of every check-in, and creates what is missing within the budgets. */
export async function runningOf(
  sent: readonly Sent[],
  profiles: KnownProfiles,
  onBudget: () => void,
): Promise<(KnownProfile | undefined)[]> {
  const found = sent.map(({ checkIn }) => profiles.find(checkIn.profile))
  if (found.every((known) => known !== undefined)) {
    for (const [at, { checkIn }] of sent.entries()) {
      const known = found[at]
      if (known !== undefined) profiles.name(known, checkIn.profile.namedBy)
    }
    return found
  }
  await profiles.refresh()
  const wanted = new Map<string, WantedProfile>()
  const planned = new Map<number, number>()
  const contents = sent.map(({ checkIn }) => {
    const { appKey, deviceId, profile } = checkIn
    const known = profiles.find(profile)
    if (known !== undefined) {
      profiles.name(known, profile.namedBy)
      return known.profile
    }
    const content = contentOf(checkIn, profiles, planned)
    if (!isSame(profile, content) && deviceId !== null) onBudget()
    const key = `${content.channelKey} ${content.version} ${content.platform} ${content.arch}`
    if (profiles.find(content) === undefined && !wanted.has(key)) {
      wanted.set(key, content)
      if (content.namedBy === 0) planned.set(appKey, (planned.get(appKey) ?? 0) + 1)
    }
    return content
  })
  await profiles.create([...wanted.values()])
  return contents.map((content) => profiles.find(content))
}

/** Checks without a device id create no profile. */
function contentOf(
  { appKey, deviceId, profile }: CheckIn,
  profiles: KnownProfiles,
  planned: ReadonlyMap<number, number>,
): WantedProfile {
  if (deviceId === null) return otherOf(profile.channelKey)
  return profiles.wanted(appKey, profile, planned.get(appKey) ?? 0)
}

function isSame(claim: ProfileClaim, content: WantedProfile): boolean {
  return claim.platform === content.platform
}

function nameOf(fact: Fact): DeviceName | undefined {
  if (fact.kind === 'check_in') {
    const { appKey, deviceId } = fact.checkIn
    return deviceId === null ? undefined : { appKey, deviceId }
  }
  const { appKey, deviceId } = fact.kind === 'labels' ? fact.delta : fact.report
  return { appKey, deviceId }
}
