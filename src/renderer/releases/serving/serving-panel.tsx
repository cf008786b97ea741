import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccess } from '../../bridge/access.ts'
import { LinkButton, Panel, SmallButton } from '../../components/blocks.tsx'
import { useAsked } from '../../components/dialog/dialog.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import type { ReleaseDetail } from '../detail.ts'
import { useDanger } from '../health/danger-notice.tsx'
import { StopButton, useUndoStop } from '../stop/stop-button.tsx'
import { text as stopText } from '../stop/strings.ts'
import { RolloutField } from './rollout-field.tsx'
import { lowestRollout, type ServingStep, type Standstill } from './step.ts'
import { StepDialog } from './step-dialog.tsx'
import { text } from './strings.ts'
import { TargetsPart } from './targets-part.tsx'

/** Characters of a version that the buttons have room for in the narrowest window. */
const LONG_VERSION = 12

interface Props {
  readonly detail: ReleaseDetail
  /** True once the release was deleted; what is shown is then what was known last. */
  readonly isDeleted: boolean
}

/** How a release is served, and every step that can change it. */
export function ServingPanel({ detail, isDeleted }: Props) {
  const { about: step, round, ask, dialog } = useAsked<ServingStep>()
  // Steps that were applied, by their part; each starts its field from what is served then.
  const [applied, setApplied] = useState({ rollout: 0, targets: 0, status: 0 })
  const { may } = useAccess()
  const standstill = standstillOf(detail, isDeleted, may('release_manager', detail.release.app))
  return (
    <Panel
      title={text.title}
      actions={
        standstill === undefined ? <StatusActions detail={detail} onStep={ask} /> : undefined
      }
    >
      {standstill === undefined ? (
        <RolloutPart key={`rollout ${applied.rollout}`} detail={detail} onStep={ask} />
      ) : (
        <StandstillText detail={detail} standstill={standstill} />
      )}
      <Divider my="md" />
      <TargetsPart
        key={`targets ${applied.targets}`}
        detail={detail}
        isEditable={standstill === undefined}
        onStep={ask}
      />
      {step && (
        <StepDialog
          key={round}
          detail={detail}
          standstill={standstill}
          step={step}
          {...dialog}
          onDone={({ part }) => {
            dialog.onClose()
            setApplied((counts) => ({ ...counts, [part]: counts[part] + 1 }))
          }}
        />
      )}
    </Panel>
  )
}

function standstillOf(
  detail: ReleaseDetail,
  isDeleted: boolean,
  mayServe: boolean,
): Standstill | undefined {
  if (isDeleted) return 'deleted'
  if (detail.archived) return 'archived'
  if (detail.release.status === 'rolled_back') return 'rolled_back'
  return mayServe ? undefined : 'not_permitted'
}

function StandstillText({ detail, standstill }: { detail: ReleaseDetail; standstill: Standstill }) {
  const { app, version, rolloutPct } = detail.release
  if (standstill === 'deleted') return <Text size="sm">{text.deleted}</Text>
  if (standstill === 'not_permitted') return <Text size="sm">{text.rolloutAt(rolloutPct)}</Text>
  if (standstill === 'rolled_back') return <Text size="sm">{text.final(version, rolloutPct)}</Text>
  return (
    <Stack gap="xs" align="start">
      <Text size="sm">{text.archived(app)}</Text>
      <LinkButton size="xs" to={paths.app(app)}>
        {text.goToApp}
      </LinkButton>
    </Stack>
  )
}

interface PartProps {
  readonly detail: ReleaseDetail
  readonly onStep: (step: ServingStep) => void
}

function StatusActions({ detail, onStep }: PartProps) {
  const { release, lastChange: seenChange } = detail
  const { status, version } = release
  const { danger } = useDanger(release)
  // What fails has its steps beside its failures.
  if (danger !== undefined) return null
  // The page says whose steps these are; beside a long version there is no room to say it again.
  const short = version.length > LONG_VERSION
  return (
    <>
      {status === 'paused' && <UndoStop detail={detail} />}
      {status === 'paused' && !detail.awaitsProof && (
        <SmallButton
          aria-label={`${text.resume} ${version}`}
          icon={IconPlayerPlay}
          onClick={() => onStep({ part: 'status', status: 'published', seenChange })}
        >
          {short ? text.resume : `${text.resume} ${version}`}
        </SmallButton>
      )}
      {status === 'published' && <StopButton release={release} isNamed={!short} />}
      <SmallButton
        c="var(--tidegate-bad)"
        aria-label={`${text.rollBack} ${version}`}
        icon={IconArrowBackUp}
        onClick={() => onStep({ part: 'status', status: 'rolled_back', seenChange })}
      >
        {short ? text.rollBack : `${text.rollBack} ${version}`}
      </SmallButton>
    </>
  )
}

/** For as long as nothing else has changed since the person stopped it. */
function UndoStop({ detail: { release, undoableStop: stop } }: Pick<PartProps, 'detail'>) {
  const { app, channel, version } = release
  const undo = useUndoStop(release)
  if (stop === null) return null
  return (
    <SmallButton
      loading={undo.isPending}
      onClick={() => undo.send({ app, channel, version, stop })}
    >
      {stopText.undo}
    </SmallButton>
  )
}

function RolloutPart({ detail, onStep }: PartProps) {
  const { release, lastChange: seenChange } = detail
  const { rolloutPct } = release
  const [chosen, setChosen] = useState<number>()
  const lowest = lowestRollout(release)
  const pct = Math.max(chosen ?? rolloutPct, lowest)
  const same = pct === rolloutPct
  return (
    <Stack gap="sm">
      <RolloutField value={pct} lowest={lowest} onChange={setChosen} />
      <Group justify="space-between" gap="8px 16px">
        <Quiet flex="1 1 240px" miw={0} className="wraps">
          {release.offered ? text.offered(rolloutPct) : text.notOffered}
        </Quiet>
        <Group gap="xs">
          {!same && (
            <SmallButton onClick={() => setChosen(undefined)}>{text.reset(rolloutPct)}</SmallButton>
          )}
          <Button
            size="xs"
            disabled={same}
            onClick={() => onStep({ part: 'rollout', rolloutPct: pct, seenChange })}
          >
            {same ? text.changeRollout : pct > rolloutPct ? text.raise(pct) : text.lower(pct)}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
