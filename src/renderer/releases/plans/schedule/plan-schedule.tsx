import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type {
  ExpectedInput,
  ForecastStep,
  PlanForecast,
} from '../../../../shared/console/releases/plans.ts'
import type { Plan } from '../../../../shared/plans/plan.ts'
import { allSteps } from '../../../../shared/plans/plan-steps.ts'
import type { Targets } from '../../../../shared/releases/targets.ts'
import { server, serverClient } from '../../../bridge/clients.ts'
import { ErrorNotice } from '../../../components/blocks.tsx'
import { Loading } from '../../../components/loading/loading.tsx'
import { formatTime, useTimeZone } from '../../../components/text/time.ts'
import { Quiet, Small, Strong, When } from '../../../components/text/words.tsx'
import { stepInWords, stopInWords, text, windowsInWords } from '../strings.ts'
import classes from './schedule.module.css'
import { evidenceInWords, text as scheduleText, tooFewInWords, unfoundInWords } from './strings.ts'

/** By step, how many known devices a plan reaches, and the bytes that they download, in all until then. */
export type ExpectedDevices =
  | readonly { readonly devices: number; readonly bytes: number }[]
  | 'counting'

/** Milliseconds without a change after which devices are counted: every count looks at the fleet. */
const EXPECTED_REST = 250

/** Counts the devices that the steps of a plan reach; undefined without an input, and if they cannot be counted. */
export function useExpected(input: ExpectedInput | undefined): ExpectedDevices | undefined {
  const [counted, setCounted] = useState<{
    readonly of: string
    readonly byStep: ExpectedDevices | undefined
  }>()
  const key = input && JSON.stringify(input)
  const [rested] = useDebouncedValue(key, EXPECTED_REST)
  const latest = useRef({ input, key })
  latest.current = { input, key }
  useEffect(() => {
    const { input: asked, key: of } = latest.current
    if (asked === undefined || of === undefined || rested !== of) return
    const subscription = serverClient.plans.expected.subscribe(asked, {
      onData: (event) => {
        if (event.type !== 'result') return
        const { byStep, bytesByStep } = event
        setCounted({
          of,
          byStep: byStep.map((devices, step) => ({ devices, bytes: bytesByStep[step] ?? 0 })),
        })
      },
      // The schedule says all else without them.
      onError: () => setCounted({ of, byStep: undefined }),
    })
    return () => subscription.unsubscribe()
  }, [rested])
  if (key === undefined) return undefined
  return counted?.of === key ? counted.byStep : 'counting'
}

/** Where a plan is tried: on a release, or on one that is about to be published. */
export interface PlanAt {
  readonly app: string
  readonly channel: string
  readonly version?: string | undefined
  /** Of the release that is about to be published; left out if they are not known yet. */
  readonly targets?: Targets | undefined
}

interface Props {
  readonly at: PlanAt
  readonly plan: Plan
  /** Devices that each step reaches, in all until then; left out if they are not counted. */
  readonly expected?: ExpectedDevices | undefined
}

/** Milliseconds without a change after which a plan is laid over the calendar. */
const REST = 250
/** Milliseconds from now that still are right away. */
const NOW = 60_000

/** A plan laid over the calendar: its steps with their earliest times, and when everyone is reached. */
export function PlanSchedule({ at, plan, expected }: Props) {
  useTimeZone()
  const [rested] = useDebouncedValue(plan, REST)
  const [targets] = useDebouncedValue(at.targets, REST)
  const { app, channel, version } = at
  const forecast = useQuery({
    ...server.plans.forecast.queryOptions({ app, channel, version, targets, plan: rested }),
    enabled: app !== '' && channel !== '',
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (forecast.error !== null) {
    return <ErrorNotice error={forecast.error} title={scheduleText.refused} />
  }
  if (forecast.data === undefined) return <Loading rows={2} height={24} />
  const steps = new Map(forecast.data.steps.map((step) => [step.step, step]))
  return (
    <div>
      <Text fw={600} role="status">
        {endInWords(plan, forecast.data)}
      </Text>
      <ol className={classes.steps} aria-label={scheduleText.steps}>
        {allSteps(plan).map((step, index) => (
          <li key={stepInWords(step)} data-past={!steps.has(index)}>
            <Strong fw={600}>{stepInWords(step)}</Strong>
            <Small>
              <StepTime at={steps.get(index)?.at} asOf={forecast.dataUpdatedAt} />
            </Small>
            {expected !== undefined && steps.has(index) && (
              <Small>
                {expected === 'counting'
                  ? scheduleText.counting
                  : text.aboutDevices(expected[index])}
              </Small>
            )}
            <StepEvidence step={steps.get(index)} />
          </li>
        ))}
      </ol>
      <Quiet mt="xs">
        {scheduleText.applied(windowsInWords(plan))} {stopInWords(plan)}{' '}
        {tooFewInWords(forecast.data.steps)} {unfoundInWords(forecast.data.steps)}
      </Quiet>
    </div>
  )
}

function StepEvidence({ step }: { readonly step: ForecastStep | undefined }) {
  const words = step?.evidence === undefined ? '' : evidenceInWords(step.evidence)
  return words === '' ? null : <Small>{words}</Small>
}

interface StepTimeProps {
  /** Undefined for a step that the release is past, null for never. */
  readonly at: string | null | undefined
  /** Unix time in milliseconds. */
  readonly asOf: number
}

function StepTime({ at, asOf }: StepTimeProps) {
  if (at === undefined) return scheduleText.past
  if (at === null) return scheduleText.never
  if (new Date(at).getTime() - asOf < NOW) return text.rightAway
  return <When at={at} as="dayAndHour" />
}

function endInWords({ steps }: Plan, forecast: PlanForecast): string {
  const last = forecast.steps.at(-1)
  if (last === undefined) return ''
  if (last.at === null) return text.neverOpens
  const time = formatTime(last.at, 'dayAndHour')
  const step = steps.at(-1)
  const isEveryone = step !== undefined && 'rolloutPct' in step && step.rolloutPct === 100
  return isEveryone ? text.everyoneBy(time) : text.lastStepBy(time)
}
