import { networkCell } from '../../src/server/fleet/health/cells.ts'
import { ADOPTED, type Phase, REPORTED } from '../../src/server/fleet/health/episode.ts'
import { evidenceAt } from '../../src/server/fleet/health/weight.ts'
import type { Cells } from './counted-release.ts'
import { DAY, WEEK } from './habits.ts'
import { equalWeights, weighed } from './measure.ts'
import { type Judge, type Look, simulate } from './rollout.ts'

/** Somebody who invents devices: each network has one address, which is all that counts. */
export interface Attack {
  readonly networks: number
  /** Invented devices per hour and address. */
  readonly perHour: number
  /** Hours for which they were made ahead of the release, and checked in daily. */
  readonly ahead: number
}

export const ATTACKS: readonly Attack[] = [1, 10, 100].flatMap((networks) =>
  [1, 30, 1_000].flatMap((perHour) => [0, 8 * DAY].map((ahead) => ({ networks, perHour, ahead }))),
)
export const RULES = { before: equalWeights, now: weighed } as const satisfies Record<string, Judge>
export type Rule = keyof typeof RULES
export const RULE_NAMES = ['before', 'now'] as const satisfies readonly Rule[]
/** Share of devices that the release breaks whose failures are to be hidden. */
export const BROKEN = 0.1
/** Devices that one address can have: more make no difference. */
const MOST_AHEAD = 100_000
/** The same of those beside the release, of which a network counts for no more than others. */
const MOST_BESIDE = 300

/** What the attackers want: that a healthy release is stopped, or that a bad one is not. */
export type Aim = 'cause' | 'prevent'

/** Whether a rollout was stopped, and whether its offers waited at any time: without attackers, and with each of the attacks. */
export interface Attacked {
  readonly alone: boolean
  readonly attacked: readonly boolean[]
  readonly aloneHeld: boolean
  readonly held: readonly boolean[]
}

/** Simulates one rollout of a fleet of that size, and judges it by each rule beside every attack. */
export function attackedBy(
  seed: number,
  devices: number,
  aim: Aim,
  attacks: readonly Attack[] = ATTACKS,
): Readonly<Record<Rule, Attacked>> {
  const beside = [null, ...attacks]
  const watches = { before: beside.map(watch), now: beside.map(watch) }
  const share = aim === 'cause' ? 0 : BROKEN
  const onLook = (look: Look): 'fine' => {
    for (const [index, attack] of beside.entries()) {
      let seen: Look | undefined
      for (const rule of RULE_NAMES) {
        const each = watches[rule][index]
        if (each === undefined || each.isStopped) continue
        seen ??= attack === null ? look : withAttack(look, attack, aim)
        const verdict = RULES[rule](seen)
        each.isStopped = verdict === 'stopped'
        each.isHeld ||= verdict === 'suspected'
      }
    }
    return 'fine'
  }
  simulate(seed, share, [onLook], { devices, hours: WEEK, lookEvery: 3 })
  return { before: attackedOf(watches.before), now: attackedOf(watches.now) }
}

interface Watch {
  isStopped: boolean
  isHeld: boolean
}

function watch(): Watch {
  return { isStopped: false, isHeld: false }
}

function attackedOf(watches: readonly Watch[]): Attacked {
  const [alone = false, ...attacked] = watches.map(({ isStopped }) => isStopped)
  const [aloneHeld = false, ...held] = watches.map(({ isHeld }) => isHeld)
  return { alone, attacked, aloneHeld, held }
}

/**
 * Adds what the server has counted of invented devices by then: they do what they are made for with the first offer. To cause a stop,
 * those that are offered the release then stay away, and to prevent one, the others.
 */
function withAttack(look: Look, { networks, perHour, ahead }: Attack, aim: Aim): Look {
  const phase = aim === 'cause' ? REPORTED : ADOPTED
  const cells = new Map<number, number>(look.cells)
  const made = Math.min(MOST_AHEAD, perHour * (ahead === 0 ? Math.max(1, look.age) : ahead))
  const callers = Array.from({ length: networks }, (_, network) => `198.51.${network}.7`)
  for (const caller of callers) addInvented(cells, caller, ahead, phase, made)
  const away = aim === 'cause' ? 'offered' : 'control'
  return look.counted(cells, (counter, byNetwork) => {
    if (byNetwork && ahead === 0) return
    for (const caller of callers) {
      for (let device = 0; device < Math.min(made, MOST_BESIDE); device += 1) {
        for (const arm of ['offered', 'control'] as const) {
          const isAway = (hours: number) => arm === away && look.age >= hours
          const is = { gone: isAway(DAY), silent: isAway(2 * DAY), reverted: false }
          counter.count(byNetwork ? caller : null, arm, is)
        }
      }
    }
  })
}

function addInvented(
  cells: Map<number, number> & Cells,
  caller: string,
  ahead: number,
  phase: Phase,
  devices: number,
): void {
  const [firstOffer, at] = [2_000 * 3_600, 2_001 * 3_600]
  const firstSeen = ahead === 0 ? at : firstOffer - ahead * 3_600
  const evidence = evidenceAt(0, { firstSeen, firstOffer, at, caller })
  for (const cell of [phase, networkCell(evidence, phase)]) {
    cells.set(cell, (cells.get(cell) ?? 0) + devices)
  }
}
