import { Text } from '@mantine/core'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { type CheckReading, checksOf, readingHolds } from '../../../shared/gate-check.ts'
import { failureShare, judgedOf, type ReleaseHealth } from '../../../shared/health.ts'
import type { PlanGate } from '../../../shared/plan.ts'
import { CHECK_LABELS, readingInWords } from '../../../shared/wording/gate-check.ts'
import { conditionInWords, sampleInWords, text } from './strings.ts'
import classes from './timeline.module.css'

interface Props {
  readonly gate: PlanGate
  readonly health: ReleaseHealth
  /** What the checks found last. */
  readonly readings: readonly CheckReading[]
}

interface Condition {
  readonly name: string
  readonly words: string
  readonly isMet: boolean
}

/** What has to hold before the next step, each with how it stands. */
export function Conditions({ gate, health, readings }: Props) {
  return (
    <ul className={classes.conditions}>
      {[...conditionsOf(gate, health), ...checked(gate, readings)].map(({ name, words, isMet }) => {
        const Glyph = isMet ? IconCircleCheck : IconClock
        return (
          <li key={name}>
            <Text size="sm" span className={classes.condition} data-met={isMet}>
              <Glyph size={14} aria-hidden="true" />
              {isMet ? text.met : text.notMet}
            </Text>{' '}
            <Text size="sm" span>
              {`${name}: ${words}`}
            </Text>
          </li>
        )
      })}
    </ul>
  )
}

function conditionsOf(gate: PlanGate, health: ReleaseHealth): Condition[] {
  const { minAdoptedPct, maxFailedPct, minSample } = gate
  const { offered, adopted } = health
  const adoptedPct = offered === 0 ? 0 : (adopted / offered) * 100
  const failedPct = failureShare(health) * 100
  const sample = judgedOf(health)
  return [
    ...(minAdoptedPct === undefined
      ? []
      : [
          {
            name: text.adoptedAtLeast,
            words: conditionInWords(adoptedPct, minAdoptedPct, true),
            isMet: adoptedPct >= minAdoptedPct,
          },
        ]),
    ...(maxFailedPct === undefined
      ? []
      : [
          {
            name: text.failedAtMost,
            words: conditionInWords(failedPct, maxFailedPct, false),
            isMet: failedPct <= maxFailedPct,
          },
        ]),
    ...(minSample === undefined
      ? []
      : [
          {
            name: text.known,
            words: sampleInWords(sample, minSample),
            isMet: sample >= minSample,
          },
        ]),
  ]
}

function checked(gate: PlanGate, readings: readonly CheckReading[]): Condition[] {
  return checksOf(gate).map((name) => {
    const reading = readings.find(({ check }) => check === name)
    const isMet = reading !== undefined && readingHolds(gate, reading)
    return { name: CHECK_LABELS[name], words: readingInWords(gate, name, reading), isMet }
  })
}
