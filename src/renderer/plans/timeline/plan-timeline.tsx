import { Text } from '@mantine/core'
import {
  type Icon,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDot,
  IconPlayerPause,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PlanForecast } from '../../../shared/console/plans.ts'
import type { ReleaseHealth } from '../../../shared/health.ts'
import type { PlanState, PlanStep } from '../../../shared/plan.ts'
import { allSteps } from '../../../shared/plan-steps.ts'
import { offersWaitSentence } from '../../../shared/wording/plan.ts'
import { Quiet } from '../../components/text/quiet.tsx'
import { When } from '../../components/text/when.tsx'
import { hoursInWords, stepInWords, WAIT_WORDS } from '../strings.ts'
import type { AppliedStep } from './applied-steps.ts'
import { Conditions } from './conditions.tsx'
import { justifiedInWords, text } from './strings.ts'
import classes from './timeline.module.css'

interface Props {
  readonly state: PlanState
  readonly health: ReleaseHealth
  readonly applied: ReadonlyMap<number, AppliedStep>
  /** Of the steps to come; undefined while it is not known, or not running. */
  readonly forecast: PlanForecast | undefined
}

/** The steps of a plan in order: those applied with why, the current one with what it waits for, and those to come. */
export function PlanTimeline({ state, health, applied, forecast }: Props) {
  const { plan, step: done, status } = state
  const steps = allSteps(plan)
  const timeOf = new Map(forecast?.steps.map((step) => [step.step, step.at]))
  return (
    <ol className={classes.steps} aria-label={text.steps}>
      {done === 0 && status === 'running' && (
        <Item Glyph={IconCircleDot} name={text.started} isCurrent>
          <Waiting state={state} health={health} />
        </Item>
      )}
      {steps.map((step, index) => {
        const isDone = index < done
        const isCurrent = index === done - 1 && status !== 'finished'
        return (
          <Item
            key={stepInWords(step)}
            Glyph={glyphOf(isDone, isCurrent, state)}
            name={stepInWords(step)}
            isCurrent={isCurrent}
          >
            {isDone ? (
              <Applied step={applied.get(index)} />
            ) : (
              <Coming
                step={step}
                at={timeOf.get(index)}
                isNext={index === done}
                isLast={index === steps.length - 1}
                state={state}
              />
            )}
            {isCurrent && status === 'running' && <Waiting state={state} health={health} />}
          </Item>
        )
      })}
      {status === 'finished' && (
        <Item Glyph={IconCircleCheck} name={text.end} isCurrent>
          <Quiet>
            <When at={state.since} />
          </Quiet>
        </Item>
      )}
    </ol>
  )
}

function glyphOf(isDone: boolean, isCurrent: boolean, { status }: PlanState): Icon {
  if (!isDone) return IconCircleDashed
  if (!isCurrent) return IconCircleCheck
  return status === 'running' ? IconCircleDot : IconPlayerPause
}

interface ItemProps {
  readonly Glyph: Icon
  readonly name: string
  readonly isCurrent: boolean
  readonly children: ReactNode
}

function Item({ Glyph, name, isCurrent, children }: ItemProps) {
  return (
    <li className={classes.step} aria-current={isCurrent ? 'step' : undefined}>
      <Glyph size={20} stroke={1.75} className={classes.glyph} aria-hidden="true" />
      <div>
        <Text fw={600} size="sm" span>
          {name}
        </Text>
        {children}
      </div>
    </li>
  )
}

function Applied({ step }: { readonly step: AppliedStep | undefined }) {
  if (step === undefined) {
    return <Quiet>{text.skipped}</Quiet>
  }
  return (
    <>
      <Quiet>
        {text.applied} <When at={step.at} />
      </Quiet>
      {step.health !== undefined && <Quiet>{justifiedInWords(step.health)}</Quiet>}
    </>
  )
}

interface ComingProps {
  readonly step: PlanStep
  /** Undefined while it is not known, null for never. */
  readonly at: string | null | undefined
  readonly isNext: boolean
  readonly isLast: boolean
  readonly state: PlanState
}

function Coming({ step, at, isNext, isLast, state }: ComingProps) {
  const { status, next } = state
  if (status !== 'running') {
    return <Quiet>{text.notScheduled}</Quiet>
  }
  const dependsOnDevices = isNext && next !== null && next.at === null
  return (
    <Quiet>
      {isNext && `${text.next}: `}
      {dependsOnDevices || at === undefined || at === null ? (
        text.afterConditions
      ) : (
        <>
          <When at={at} as="dayAndHour" /> {text.atEarliest}
        </>
      )}
      {step.soakHours > 0 &&
        `. ${(isLast ? text.watchFor : text.waitFor)(hoursInWords(step.soakHours))}`}
    </Quiet>
  )
}

/** What the plan waits for now, and until when. */
function Waiting({ state, health }: Pick<Props, 'state' | 'health'>) {
  const { next, plan, step, openPct } = state
  if (next === null) return null
  const steps = allSteps(plan)
  const gate = steps[step - 1]?.gate
  const isLast = step >= steps.length
  return (
    <>
      <Text size="sm">
        {next.waitsFor === null ? text.appliedNow : WAIT_WORDS[next.waitsFor]}
        {next.waitsFor !== null && next.at !== null && (
          <>
            {`, ${text.until} `}
            <When at={next.at} as="dayAndHour" />
          </>
        )}
      </Text>
      {openPct !== null && <Text size="sm">{offersWaitSentence(openPct)}</Text>}
      {gate !== undefined && !isLast && (
        <Conditions plan={plan} gate={gate} health={health} readings={state.readings ?? []} />
      )}
    </>
  )
}
