import { Group } from '@mantine/core'
import { IconArrowBackUp, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { queryClient } from '../../bridge/query-client.ts'
import { SmallButton } from '../../components/blocks.tsx'
import { announceFailure } from '../../components/change/announce.ts'
import { useAsked } from '../../components/dialog/dialog.tsx'
import { StopButton } from '../stop/stop-button.tsx'
import type { ServingStep, StepChange } from './step.ts'
import type { StepDialog } from './step-dialog.tsx'
import { statusInWords } from './step-strings.ts'
import { text } from './strings.ts'

/** What is asked, and the dialog that asks it: the overview loads it when it is needed. */
interface Asked {
  readonly step: ServingStep
  readonly Dialog: typeof StepDialog
}

type StatusStep = Extract<StepChange, { part: 'status' }>['status']

interface Props {
  readonly release: ReleasePlace
  readonly status: ReleaseStatus
  /** True where a screen has several releases. */
  readonly isListed?: boolean
}

/**
 * What a person does about a release that fails: stop it, roll it back, or resume it in spite of its failures, which is far
 * from the others. Nothing for who may not.
 */
export function FailingActions({ release, status, isListed = false }: Props) {
  const { app, channel, version } = release
  const { may } = useAccess()
  const asked = useAsked<Asked>()
  const [isAsking, setAsking] = useState(false)
  const query = server.releases.get.queryOptions({ app, channel, version })
  const { data: detail } = useQuery({ ...query, enabled: asked.dialog.opened })
  if (status === 'rolled_back' || !may('release_manager', app)) return null
  const ask = async (wanted: StatusStep) => {
    setAsking(true)
    try {
      // Decided on what is so now: a list does not show the revision of a release.
      const [{ lastChange }, { StepDialog: Dialog }] = await Promise.all([
        queryClient.fetchQuery({ ...query, staleTime: 0 }),
        import('./step-dialog.tsx'),
      ])
      const step = { part: 'status', status: wanted, seenChange: lastChange } as const
      asked.ask({ step, Dialog })
    } catch (error) {
      announceFailure(statusInWords(version, wanted).failed, error)
    } finally {
      setAsking(false)
    }
  }
  const place = isListed ? `${app}/${channel}` : undefined
  const label = (verb: string) => text.actionOn(verb, version, place)
  return (
    <Group gap="xs">
      {status === 'published' && <StopButton release={release} isNamed={!isListed} />}
      <SmallButton
        variant={status === 'published' ? 'default' : 'filled'}
        {...(status === 'published' ? { c: 'var(--tidegate-bad)' } : { color: 'red' })}
        icon={IconArrowBackUp}
        aria-label={label(text.rollBack)}
        disabled={isAsking}
        onClick={() => ask('rolled_back')}
      >
        {text.rollBack}
      </SmallButton>
      {status === 'paused' && (
        <SmallButton
          ms="auto"
          variant="subtle"
          icon={IconPlayerPlay}
          aria-label={label(text.resume)}
          disabled={isAsking}
          onClick={() => ask('published')}
        >
          {text.resume}
        </SmallButton>
      )}
      {asked.about !== undefined && detail !== undefined && (
        <asked.about.Dialog
          key={asked.round}
          detail={detail}
          standstill={detail.archived ? 'archived' : undefined}
          step={asked.about.step}
          {...asked.dialog}
          onDone={asked.dialog.onClose}
        />
      )}
    </Group>
  )
}
