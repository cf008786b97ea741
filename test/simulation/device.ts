import { type Episode, NO_EPISODE } from '../../src/server/fleet/health/episode.ts'
import { FIRST_INTERVAL } from '../../src/server/fleet/health/usual-interval.ts'
import { drawRoutine, type Fleet } from './fleet.ts'
import { nextSession, type Routine, type Session, WEEK } from './habits.ts'
import type { Chance } from './random.ts'

/** What a release does to a device that it breaks. */
export const FAULTS = ['stuck', 'reverted', 'silent', 'reported'] as const
export type Fault = (typeof FAULTS)[number]

/** When a device installs what it is offered: at once, when the app starts next, or hours later. */
type Installs = 'at_once' | 'next_start' | number

/** A device and what it does with a release. Times are hours of the simulation. */
export interface Device {
  readonly index: number
  readonly routine: Routine
  /** In the part of the fleet that a power cut switches off. */
  readonly isCutOff: boolean
  /** Its address: most are at home, the others in a few offices. */
  readonly caller: string
  /** When it is put away for good. */
  readonly endsAt: number
  /** Its updater never works, whatever the release. */
  readonly isBroken: boolean
  /** Share of its downloads that fail. */
  readonly flaky: number
  session: Session | null
  /** When it checks next. */
  checksAt: number
  /** From 0 to 1: where it stands in the rollout. */
  bucket: number
  installs: Installs
  /** What happens to it when it installs. */
  fault: Fault | null
  /** The fault is that of the release, and it was offered the release. */
  isHarmed: boolean
  isHit: boolean
  /** When it may install; null before the first offer. */
  installsAt: number | null
  isOn: boolean
  /** When it goes back to the release before. */
  revertsAt: number
  /** The app reports a failure with the next check. */
  reportsFailure: boolean
  isGone: boolean
  /** What the server knows of it. */
  episode: Episode
  interval: number
  lastSeen: number
  readonly firstSeen: number
  evidence: number
  wasOn: boolean
}

/** Draws a device; `hours` is for how long the fleet is watched. */
export function drawDevice(
  index: number,
  fleet: Fleet,
  chance: Chance,
  hours: number,
  caller: string,
): Device {
  const isNew = chance.is((fleet.turnover * hours) / WEEK)
  const begins = isNew ? chance.between(0, hours) : chance.between(0, 3)
  const life = fleet.turnover === 0 ? Infinity : chance.exponential(WEEK / fleet.turnover)
  return {
    index,
    routine: drawRoutine(fleet, chance, hours),
    isCutOff: index % 4 === 0,
    caller,
    endsAt: begins + life,
    isBroken: chance.is(0.004),
    flaky: chance.is(0.1) ? chance.between(0.1, 0.7) : 0.01,
    session: null,
    checksAt: begins,
    ...{ bucket: 0, installs: 'at_once', fault: null, isHarmed: false, isHit: false },
    ...{ installsAt: null, isOn: false, revertsAt: Infinity, reportsFailure: false },
    isGone: false,
    ...{ episode: NO_EPISODE, interval: FIRST_INTERVAL, lastSeen: begins, wasOn: false },
    ...{ firstSeen: begins, evidence: 0 },
  }
}

/** Draws an address. */
export function drawCaller(chance: Chance): string {
  if (chance.is(0.3)) return `203.0.${Math.floor(chance.between(0, 8))}.7`
  const [one, other] = [chance.between(0, 256), chance.between(0, 256)].map(Math.floor)
  return `20.${one}.${other}.7`
}

/** Prepares a device for a release; `fault` is what the release does to it. */
export function meetRelease(
  device: Device,
  fleet: Fleet,
  fault: Fault | null,
  chance: Chance,
): void {
  device.bucket = chance.share()
  device.isHit = fault !== null
  device.fault = fault ?? usualFault(chance)
  device.installs = drawInstalls(device, fleet, chance)
  device.installsAt = null
  device.isOn = false
  device.revertsAt = Infinity
  device.isHarmed = false
  device.wasOn = false
}

/** Whatever the release, some people go back, and some installations fail. */
function usualFault(chance: Chance): Fault | null {
  if (!chance.is(0.004)) return null
  return chance.is(0.5) ? 'reverted' : 'reported'
}

function drawInstalls({ routine, isBroken }: Device, fleet: Fleet, chance: Chance): Installs {
  if (isBroken) return Infinity
  // Nobody is in front of a machine that is always on.
  if (routine.habit === 'always' && chance.is(0.85)) return 'at_once'
  // Half of those who postpone do so for more than two days.
  if (chance.is(fleet.postponed)) return Math.exp(chance.normal(Math.log(48), 1))
  return chance.is(fleet.atNextStart) ? 'next_start' : 'at_once'
}

/** Offers a device the release. Returns whether that harms it, which is so once. */
export function isHarmedBy(device: Device, at: number): boolean {
  const { installs } = device
  device.installsAt ??= typeof installs === 'number' ? at + installs : at
  if (!device.isHit || device.isHarmed) return false
  device.isHarmed = true
  return true
}

/** Lets a device that was offered a release install it when it does; `isStart`: the app was started just now. */
export function install(device: Device, at: number, isStart: boolean, chance: Chance): void {
  const { installs, installsAt } = device
  if (at >= device.revertsAt) device.isOn = false
  if (device.isOn || device.revertsAt < Infinity) return
  if (installsAt === null || at < installsAt) return
  if (installs === 'next_start' && !isStart) return
  if (chance.is(device.flaky)) return
  switch (device.fault) {
    case 'stuck':
      return
    case 'reported':
      device.reportsFailure = true
      return
    case 'silent':
      device.isGone = true
      return
    case 'reverted':
      device.revertsAt = at + chance.exponential(12)
  }
  device.isOn = true
}

/** Hours until a device that restarts into a release checks again. */
const RESTART = 0.05

/** Returns when a device checks next after `at`; null for one that never does. */
export function nextCheck(
  device: Device,
  at: number,
  isOffered: boolean,
  fleet: Fleet,
  chance: Chance,
): number | null {
  const { routine, session, wasOn } = device
  if (isOffered && device.installs === 'at_once') {
    install(device, at, false, chance)
    if (device.isGone) return null
    if (device.isOn !== wasOn || device.reportsFailure) return at + RESTART
  }
  const next = at + routine.interval * chance.between(0.95, 1.05)
  if (session !== null && next < session.to) return next
  const after = Math.max(at, session?.to ?? at)
  device.session = nextSession(routine, after, fleet.calendar, chance)
  return device.session.from
}
