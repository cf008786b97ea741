import { setImmediate as turn } from 'node:timers/promises'
import { compareVersions, parseVersion } from '../server/decision/version.ts'
import type { RunningServer } from '../server/running-server.ts'
import type { Updates } from '../server/updates/updates.ts'
import { Agenda } from './agenda.ts'
import type { SimulatedDevice } from './device.ts'
import { nextCheckIn } from './habits.ts'
import { principalOf, type TimelineStep } from './timeline.ts'

/** Check-ins between two turns of the event loop, in which the writer gets its word in. */
const SLICE = 2_000
/** Check-ins that may wait for the writer: far below where the fleet would drop the oldest. */
const MOST_WAITING = 60_000
/** Releases that the story has on a channel at most. */
const MOST_RELEASES = 1_000
/** Milliseconds that a download and the restart after it take. */
const QUICKEST_UPDATE = 90_000
const SLOWEST_UPDATE = 1_200_000

export interface Past {
  readonly devices: readonly SimulatedDevice[]
  readonly steps: readonly TimelineStep[]
  /** Unix milliseconds. */
  readonly end: number
  /** Sets the clock of the server. */
  readonly setClock: (at: number) => void
  /** Ends it early; `live` rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Called now and then with the time that the story has reached: Unix milliseconds. */
  readonly onProgress?: ((at: number) => void) | undefined
}

/**
 * Lives through the past up to `end`: people change the catalog, devices check in, and each check-in
 * goes the way of a real one, at its time. Returns the number of check-ins.
 */
export async function live(server: RunningServer, past: Past): Promise<number> {
  const { devices, end, setClock } = past
  const steps = [...past.steps]
  const agenda = new Agenda()
  for (const [number, { traits }] of devices.entries()) {
    agenda.put(number, nextCheckIn(traits.random, traits.habits, traits.habits.comes))
  }
  let checkIns = 0
  for (;;) {
    const at = agenda.next
    while ((steps[0]?.at ?? end) <= Math.min(at, end - 1)) {
      const step = steps.shift()
      if (step === undefined) break
      setClock(step.at)
      await step.run(server.updates)
    }
    const number = agenda.take()
    const device = number === undefined ? undefined : devices[number]
    if (number === undefined || device === undefined || at >= end) break
    const { random, habits } = device.traits
    if (at >= habits.leaves) continue
    setClock(at)
    checkIns++
    const updates = await checkIn(server, device)
    agenda.put(
      number,
      updates
        ? Math.ceil(at + random.between(QUICKEST_UPDATE, SLOWEST_UPDATE))
        : nextCheckIn(random, habits, at),
    )
    if (checkIns % SLICE > 0) continue
    past.signal?.throwIfAborted()
    past.onProgress?.(at)
    await turn()
    if (server.telemetry.health.queued > MOST_WAITING) await server.telemetry.settled()
  }
  setClock(end)
  await server.telemetry.settled()
  past.onProgress?.(end)
  return checkIns
}

/** Makes one check-in. Returns whether the device updates itself now. */
async function checkIn({ updates }: RunningServer, device: SimulatedDevice): Promise<boolean> {
  device.start(device.version ?? (await versionToInstall(updates, device)))
  const { deviceId, labels, ...named } = device.check()
  const installation = updates.installation(named)
  const counted = { caller: 'demo', counts: true }
  const offer = await updates.check({ installation, deviceId, labels, ...counted })
  if (offer === null) return device.receive(null)
  const { release, allowDowngrade } = offer.decision
  return device.receive({ version: release.facts.version, allowDowngrade })
}

/** Returns what a new device installs: the highest version that is offered to all devices. */
async function versionToInstall(
  updates: Updates,
  { traits: { app, channel } }: SimulatedDevice,
): Promise<string> {
  const query = { app, channel, status: 'published', page: 1, perPage: MOST_RELEASES } as const
  const { releases } = await updates.listReleases(principalOf('mara'), query)
  const published = releases
    .map(({ release }) => release)
    .toSorted((one, other) =>
      compareVersions(parseVersion(one.version), parseVersion(other.version)),
    )
  const open = published.findLast(
    ({ rolloutPct, targets }) =>
      rolloutPct === 100 && Object.keys(targets.matchLabels).length === 0,
  )
  const release = open ?? published[0]
  if (release === undefined) throw new Error(`${app}/${channel} has no release to install`)
  return release.version
}
