import { Stack, Text } from '@mantine/core'
import type { ChangeId } from '../../../shared/history.ts'
import type { Release } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useLast } from '../../components/dialog/dialog.tsx'
import { DangerNotice, useDanger } from '../../health/danger-notice.tsx'
import type { Consequence } from '../../health/strings.ts'
import { questionInWords } from './strings.ts'

/** What is asked about a plan, and the revision that it was asked on. */
export interface PlanQuestion {
  readonly kind: 'suspend' | 'resume' | 'remove'
  readonly seenChange: ChangeId
}

const CONSEQUENCES: Readonly<Partial<Record<PlanQuestion['kind'], Consequence>>> = {
  resume: 'resume_plan',
  remove: 'remove_plan',
}

interface Props {
  readonly release: Release
  /** The dialog is closed without one. */
  readonly question: PlanQuestion | undefined
  readonly onClose: () => void
}

/** Asks once before a plan is suspended, resumed or removed. */
export function PlanQuestionDialog({ release, question, onClose }: Props) {
  const { app, channel, version } = release
  const shown = useLast(question)
  const { kind, seenChange } = shown ?? { kind: 'suspend', seenChange: undefined }
  const words = questionInWords(kind, version)
  const then = CONSEQUENCES[kind]
  const { danger } = useDanger(release)
  return (
    <ChangeDialog
      {...words}
      opened={question !== undefined}
      destructive={kind === 'remove' || (then !== undefined && danger !== undefined)}
      send={() => serverClient.plans[kind].mutate({ app, channel, version, seenChange })}
      onClose={onClose}
    >
      <Stack gap="sm">
        {then !== undefined && <DangerNotice version={version} danger={danger} then={then} />}
        <Text size="sm">{words.effect}</Text>
      </Stack>
    </ChangeDialog>
  )
}
