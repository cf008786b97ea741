import { Text } from '@mantine/core'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReleaseHealth } from '../../../shared/health.ts'
import type { Plan, PlanGate } from '../../../shared/plan.ts'
import { gateConditions } from '../../../shared/plan-gate.ts'
import { conditionInWords, text } from './strings.ts'
import classes from './timeline.module.css'

interface Props {
  readonly plan: Pick<Plan, 'minSample'>
  readonly gate: PlanGate
  readonly health: ReleaseHealth
}

/** What has to hold before the next step, each with how it stands. */
export function Conditions({ plan, gate, health }: Props) {
  return (
    <ul className={classes.conditions}>
      {gateConditions(gate, health, plan.minSample).map((condition) => {
        const { name, isMet } = condition
        const Glyph = isMet ? IconCircleCheck : IconClock
        return (
          <li key={name}>
            <Text size="sm" span className={classes.condition} data-met={isMet}>
              <Glyph size={14} aria-hidden="true" />
              {isMet ? text.met : text.notMet}
            </Text>{' '}
            <Text size="sm" span>
              {conditionInWords(condition)}
            </Text>
          </li>
        )
      })}
    </ul>
  )
}
