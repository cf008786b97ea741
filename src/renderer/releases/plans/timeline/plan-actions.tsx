import { Button, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRoute } from '@tabler/icons-react'
import type { PlanDetail } from '../../../../shared/console/releases/plans.ts'
import type { ChangeId } from '../../../../shared/events/history.ts'
import type { Release } from '../../../../shared/releases/release.ts'
import { serverClient } from '../../../bridge/clients.ts'
import { ChangeDialog } from '../../../components/dialog/confirm-dialog.tsx'
import { type DialogProps, useAsked } from '../../../components/dialog/dialog.tsx'
import { SmallButton } from '../../../components/small-button.tsx'
import type { ReleaseDetail } from '../../detail.ts'
import { DangerNotice, useDanger } from '../../health/danger-notice.tsx'
import type { Consequence } from '../../health/strings.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { questionInWords, text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
  readonly known: PlanDetail
}

/** The buttons that set, suspend, resume and remove the plan of a release. */
export function PlanActions({ detail, known }: Props) {
  const { release, awaitsProof } = detail
  const { plan: state } = known
  const question = useAsked<PlanQuestion>()
  const editing = useAsked<PlanDetail>()
  const ask = (kind: PlanQuestion['kind']) => question.ask({ kind, seenChange: known.lastChange })
  const isPaused = release.status === 'paused' && !awaitsProof
  const isOpen = state?.status === 'running' || state?.status === 'suspended'
  const isStopped = state?.status === 'stopped' && state.reason === 'failures'
  const canSet = !isPaused && release.rolloutPct < 100
  return (
    <>
      {state?.status === 'running' && (
        <SmallButton icon={IconPlayerPause} onClick={() => ask('suspend')}>
          {text.suspend}
        </SmallButton>
      )}
      {(state?.status === 'suspended' || isStopped) && (
        <Button
          size="xs"
          disabled={isPaused}
          title={isPaused ? text.resumeReleaseFirst : undefined}
          leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
          onClick={() => ask('resume')}
        >
          {text.resume}
        </Button>
      )}
      {canSet && (
        <Button
          variant={state === null ? 'filled' : 'default'}
          size="xs"
          leftSection={<IconRoute size={14} aria-hidden="true" />}
          onClick={() => editing.ask(known)}
        >
          {isOpen || isStopped ? text.edit : text.set}
        </Button>
      )}
      {state !== null && <SmallButton onClick={() => ask('remove')}>{text.remove}</SmallButton>}
      {question.about && (
        <PlanQuestionDialog release={release} {...question.about} {...question.dialog} />
      )}
      {editing.about && (
        <PlanDialog key={editing.round} detail={detail} seen={editing.about} {...editing.dialog} />
      )}
    </>
  )
}

/** What is asked about a plan, and the revision that it was asked on. */
interface PlanQuestion {
  readonly kind: 'suspend' | 'resume' | 'remove'
  readonly seenChange: ChangeId
}

const CONSEQUENCES: Readonly<Partial<Record<PlanQuestion['kind'], Consequence>>> = {
  resume: 'resume_plan',
  remove: 'remove_plan',
}

interface QuestionProps extends PlanQuestion, DialogProps {
  readonly release: Release
}

/** Asks once before a plan is suspended, resumed or removed. */
function PlanQuestionDialog({ release, kind, seenChange, ...dialog }: QuestionProps) {
  const { app, channel, version } = release
  const words = questionInWords(kind, version)
  const then = CONSEQUENCES[kind]
  const { danger } = useDanger(release)
  return (
    <ChangeDialog
      {...words}
      {...dialog}
      destructive={kind === 'remove' || (then !== undefined && danger !== undefined)}
      send={() => serverClient.plans[kind].mutate({ app, channel, version, seenChange })}
    >
      <Stack gap="sm">
        {then !== undefined && <DangerNotice version={version} danger={danger} then={then} />}
        <Text size="sm">{words.effect}</Text>
      </Stack>
    </ChangeDialog>
  )
}
