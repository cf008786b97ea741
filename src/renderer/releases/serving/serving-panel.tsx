import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { formatPercent } from '../../../shared/wording/format.ts'
import { Panel } from '../../components/panel.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { lowestRollout, type ServingStep } from './change.ts'
import { RolloutField } from './rollout-field.tsx'
import { StepDialog } from './step-dialog.tsx'
import { TargetsPart } from './targets-part.tsx'

/** Characters of a version that the buttons have room for in the narrowest window. */
const LONG_VERSION = 12

/** How a release is served, and every step that can change it. */
export function ServingPanel({ detail }: { readonly detail: ReleaseDetail }) {
  const { release } = detail
  const [step, setStep] = useState<ServingStep>()
  // Steps that were applied; each starts the fields from what is served then.
  const [applied, setApplied] = useState(0)
  const final = release.status === 'rolled_back'
  return (
    <Panel
      title="Serving"
      actions={final ? undefined : <StatusActions detail={detail} onStep={setStep} />}
    >
      {final ? (
        <Text size="sm">
          {release.version} was rolled back while its rollout was at{' '}
          {formatPercent(release.rolloutPct)}. It can never be served again; publish a new version
          in its place.
        </Text>
      ) : (
        <RolloutPart key={`rollout ${applied}`} detail={detail} onStep={setStep} />
      )}
      <Divider my="md" />
      <TargetsPart key={`targets ${applied}`} release={release} onStep={setStep} />
      <StepDialog
        detail={detail}
        step={step}
        onClose={() => setStep(undefined)}
        onDone={() => {
          setStep(undefined)
          setApplied((count) => count + 1)
        }}
      />
    </Panel>
  )
}

interface PartProps {
  readonly detail: ReleaseDetail
  readonly onStep: (step: ServingStep) => void
}

function StatusActions({ detail, onStep }: PartProps) {
  const { status, version } = detail.release
  const paused = status === 'paused'
  const Glyph = paused ? IconPlayerPlay : IconPlayerPause
  const step = paused ? 'Resume' : 'Pause'
  // The page says whose steps these are; beside a long version there is no room to say it again.
  const short = version.length > LONG_VERSION
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${step} ${version}`}
        leftSection={<Glyph size={14} aria-hidden="true" />}
        onClick={() => onStep({ part: 'status', status: paused ? 'published' : 'paused' })}
      >
        {short ? step : `${step} ${version}`}
      </Button>
      <Button
        variant="default"
        c="var(--tidegate-bad)"
        size="xs"
        aria-label={`Roll back ${version}`}
        leftSection={<IconArrowBackUp size={14} aria-hidden="true" />}
        onClick={() => onStep({ part: 'status', status: 'rolled_back' })}
      >
        {short ? 'Roll back' : `Roll back ${version}`}
      </Button>
    </>
  )
}

function RolloutPart({ detail, onStep }: PartProps) {
  const { release } = detail
  const [chosen, setChosen] = useState<number>()
  const lowest = lowestRollout(release)
  const pct = Math.max(chosen ?? release.rolloutPct, lowest)
  const same = pct === release.rolloutPct
  return (
    <Stack gap="sm">
      <RolloutField value={pct} lowest={lowest} onChange={setChosen} />
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text size="sm" c="dimmed">
          {release.offered
            ? `Devices have been offered it, so it cannot go below ${formatPercent(release.rolloutPct)}.`
            : 'No device has been offered it yet, so any percentage is possible.'}
        </Text>
        <Group gap="xs" wrap="nowrap" flex="none">
          {!same && (
            <Button variant="default" size="xs" onClick={() => setChosen(undefined)}>
              {`Reset to ${formatPercent(release.rolloutPct)}`}
            </Button>
          )}
          <Button
            size="xs"
            disabled={same}
            onClick={() => onStep({ part: 'rollout', rolloutPct: pct })}
          >
            {same
              ? 'Change the rollout'
              : `${pct > release.rolloutPct ? 'Raise' : 'Lower'} to ${formatPercent(pct)}`}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
