import { Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReleaseHealth } from '../../../../shared/health/health.ts'
import { type CheckReading, checksOf, readingHolds } from '../../../../shared/plans/gate-check.ts'
import type { PlanGate } from '../../../../shared/plans/plan.ts'
import { gateConditions } from '../../../../shared/plans/plan-gate.ts'
import { CHECK_LABELS, readingInWords } from '../../../../shared/wording/gate-check.ts'
import { Toned } from '../../../components/text/words.tsx'
import { conditionInWords, text } from './strings.ts'

interface Props {
  readonly gate: PlanGate
  readonly health: ReleaseHealth
  /** What the checks found last. */
  readonly readings: readonly CheckReading[]
}

/** What has to hold before the next step, each with how it stands. */
export function Conditions({ gate, health, readings }: Props) {
  const counted = gateConditions(gate, health).map((condition) => ({
    ...condition,
    words: conditionInWords(condition),
  }))
  return (
    <Stack component="ul" gap={2} mt={4} className="plain-list">
      {[...counted, ...checked(gate, readings)].map(({ name, words, isMet }) => (
        <Text key={name} component="li" size="sm">
          <Toned tone={isMet ? 'good' : 'warn'} icon={isMet ? IconCircleCheck : IconClock}>
            {isMet ? text.met : text.notMet}
          </Toned>{' '}
          {words}
        </Text>
      ))}
    </Stack>
  )
}

interface Condition {
  readonly name: string
  readonly words: string
  readonly isMet: boolean
}

function checked(gate: PlanGate, readings: readonly CheckReading[]): Condition[] {
  return checksOf(gate).map((name) => {
    const reading = readings.find(({ check }) => check === name)
    const isMet = reading !== undefined && readingHolds(gate, reading)
    const words = `${CHECK_LABELS[name]}: ${readingInWords(gate, name, reading)}`
    return { name, words, isMet }
  })
}
