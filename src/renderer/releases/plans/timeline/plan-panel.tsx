import { Stack, Text } from '@mantine/core'
import { IconHandStop, IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PlanDetail } from '../../../../shared/console/releases/plans.ts'
import { planReasonSentence } from '../../../../shared/wording/plan.ts'
import { useAccess } from '../../../bridge/access.ts'
import { server } from '../../../bridge/clients.ts'
import { Notice, Panel } from '../../../components/blocks.tsx'
import { Loaded, Loading } from '../../../components/loading/loading.tsx'
import { StatusBadge } from '../../../components/release/status-badge.tsx'
import { Quiet, When } from '../../../components/text/words.tsx'
import type { ReleaseDetail } from '../../detail.ts'
import { text as planText, stopInWords, windowsInWords } from '../strings.ts'
import { PlanActions } from './plan-actions.tsx'
import { appliedSteps, PlanTimeline } from './plan-timeline.tsx'
import { text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
}

/** Milliseconds after which a plan is asked for again, of which time alone changes what it waits for. */
const EVERY = 60_000

/** The plan of a release: where it stands, what comes next, and every step that changes it. */
export function PlanPanel({ detail }: Props) {
  const { app, channel, version, status } = detail.release
  const { may } = useAccess()
  const isEditable = may('release_manager', app) && !detail.archived && status !== 'rolled_back'
  const known = useQuery({
    ...server.plans.get.queryOptions({ app, channel, version }),
    refetchInterval: EVERY,
  })
  const { data } = known
  return (
    <Panel
      title={planText.plan}
      aside={data?.plan && <StatusBadge status={data.plan.status} />}
      actions={isEditable && data && <PlanActions detail={detail} known={data} />}
    >
      <Loaded query={known} loading={<Loading rows={2} />}>
        {(plan) => <PlanContent detail={detail} known={plan} isEditable={isEditable} />}
      </Loaded>
    </Panel>
  )
}

interface ContentProps extends Props {
  readonly isEditable: boolean
  readonly known: PlanDetail
}

function PlanContent({ detail, known: { plan: state, health }, isEditable }: ContentProps) {
  const { app, channel, version } = detail.release
  const applied = useMemo(() => appliedSteps(detail.history), [detail.history])
  const forecast = useQuery(
    server.plans.forecast.queryOptions(
      { app, channel, version },
      { enabled: state?.status === 'running', retry: false, refetchInterval: EVERY },
    ),
  )
  if (state === null) {
    return <Quiet>{noneInWords(detail, isEditable)}</Quiet>
  }
  return (
    <Stack gap="md">
      <Interruption state={state} />
      <PlanTimeline
        state={state}
        health={health}
        applied={applied}
        forecast={state.status === 'running' ? forecast.data : undefined}
      />
      {state.status !== 'finished' && (
        <Quiet>
          {text.windows(windowsInWords(state.plan))} {stopInWords(state.plan)}
        </Quiet>
      )}
    </Stack>
  )
}

function noneInWords({ release }: ReleaseDetail, isEditable: boolean): string {
  if (release.rolloutPct === 100) return text.noneAtAll
  return release.status === 'paused' && isEditable ? text.nonePaused : text.none
}

function Interruption({ state }: { readonly state: NonNullable<PlanDetail['plan']> }) {
  const { status, reason, since } = state
  if (reason === null || (status !== 'suspended' && status !== 'stopped')) return null
  const Glyph = status === 'stopped' ? IconHandStop : IconPlayerPause
  return (
    <Notice
      icon={Glyph}
      color={status === 'stopped' ? 'red' : 'yellow'}
      title={text.interrupted[status]}
    >
      <Text size="sm">
        {planReasonSentence(reason)} {text.since} <When at={since} />
      </Text>
    </Notice>
  )
}
