import { Text } from '@mantine/core'
import {
  type Icon,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDot,
  IconPlayerPause,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { PlanForecast } from '../../../../shared/console/releases/plans.ts'
import { ReleaseHealth } from '../../../../shared/health/health.ts'
import type { PlanStep } from '../../../../shared/plans/plan.ts'
import type { PlanState } from '../../../../shared/plans/plan-state.ts'
import { allSteps } from '../../../../shared/plans/plan-steps.ts'
import { offersWaitSentence } from '../../../../shared/wording/plan.ts'
import { Quiet, Strong, When } from '../../../components/text/words.tsx'
import type { HistoryEntry } from '../../detail.ts'
import { hoursInWords, text as planText, stepInWords, WAIT_WORDS } from '../strings.ts'
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
    <ol className="plain-list" aria-label={text.steps}>
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
        <Strong fw={600} span>
          {name}
        </Strong>
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
          <When at={at} as="dayAndHour" /> {planText.atEarliest}
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
        {next.waitsFor === null ? planText.beingApplied : WAIT_WORDS[next.waitsFor]}
        {next.waitsFor !== null && next.at !== null && (
          <>
            {`, ${text.until} `}
            <When at={next.at} as="dayAndHour" />
          </>
        )}
      </Text>
      {openPct !== null && <Text size="sm">{offersWaitSentence(openPct)}</Text>}
      {gate !== undefined && !isLast && (
        <Conditions gate={gate} health={health} readings={state.readings ?? []} />
      )}
    </>
  )
}

/** A step that was applied, and the numbers that it was applied on. */
interface AppliedStep {
  readonly at: string
  /** Of the devices that the steps before reached; undefined for the first step. */
  readonly health?: ReleaseHealth | undefined
}

const AppliedFacts = z.object({ step: z.int().min(1), health: ReleaseHealth.optional() })

/**
 * Returns when the steps of the plan that a release has now were applied, by their place in the plan from 0. `history`: of
 * the release, newest first.
 */
export function appliedSteps(history: readonly HistoryEntry[]): ReadonlyMap<number, AppliedStep> {
  const steps = new Map<number, AppliedStep>()
  for (const { action, at, after } of history) {
    if (action === 'release.plan_set') break
    if (action !== 'release.plan_step_applied') continue
    const read = AppliedFacts.safeParse(after)
    if (read.success) steps.set(read.data.step - 1, { at, health: read.data.health })
  }
  return steps
}
