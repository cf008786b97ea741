import { Group, Stack, Text } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleMinus,
  IconDeviceDesktopOff,
  IconInfoCircle,
  IconPackageOff,
  IconPercentage,
  IconTargetOff,
  IconVersionsOff,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { DeviceDetail, Explanation } from '../../../shared/console/devices.ts'
import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import { UpdaterClient } from '../../../shared/files/updater.ts'
import {
  noteSentence,
  OUTCOME_LABELS,
  outcomeSentence,
} from '../../../shared/wording/explanation.ts'
import { ErrorNotice, Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { Loading, StillLoading } from '../../components/loading/loading.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Quiet, Small, Toned } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import classes from './explain.module.css'
import { ExplainFields } from './explain-fields.tsx'
import { explainText as text, whyInWords } from './strings.ts'
import { type Assumption, useExplanation } from './use-explanation.ts'

const ICONS: Readonly<Record<CandidateTrace['outcome'], Icon>> = {
  offered: IconCircleCheck,
  not_targeted: IconTargetOff,
  outside_cohort: IconPercentage,
  no_artifact: IconPackageOff,
  system_too_old: IconDeviceDesktopOff,
  not_taken: IconVersionsOff,
}

interface Props {
  readonly app: string
  readonly channel: string
  readonly candidates: readonly CandidateTrace[]
}

/** Each release that was tried, in that order, with what became of it and why. */
function CandidatesTable({ app, channel, candidates }: Props) {
  const namesPlaces = candidates.some(
    (candidate) =>
      'rollout' in candidate &&
      candidate.rollout.bucket !== null &&
      candidate.rollout.admission === null,
  )
  return (
    <>
      <DataTable
        label={text.candidates}
        mt="sm"
        horizontalSpacing={8}
        rows={candidates}
        keyOf={({ version }) => version}
        columns={[
          {
            ...{ name: text.release, className: classes.release },
            cell: ({ version }) => (
              <Link className={classes.link} to={paths.release({ app, channel, version })}>
                <VersionBadge app={app} version={version} />
              </Link>
            ),
          },
          { name: text.outcome, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
          { name: text.reason, className: classes.why, cell: whyInWords },
        ]}
      />
      {namesPlaces && <Small mt="xs">{text.places}</Small>}
    </>
  )
}

function Outcome({ outcome }: Pick<CandidateTrace, 'outcome'>) {
  const tone = outcome === 'offered' ? 'good' : 'quiet'
  return (
    <Toned tone={tone} icon={ICONS[outcome]} className={classes.outcome}>
      {OUTCOME_LABELS[outcome]}
    </Toned>
  )
}

/** The update decision for a device, and why; also as if it asked otherwise. */
export function ExplainPanel({ device }: { readonly device: DeviceDetail }) {
  const [params] = useSearchParams()
  const [assumption, assume] = useState<Assumption>(() => ({
    channel: params.get('channel') ?? undefined,
    client: UpdaterClient.safeParse(params.get('client')).data,
  }))
  const explained = useExplanation(device, assumption)
  const invalid = explained.state === 'invalid' ? explained : undefined
  return (
    <Panel title={text.title}>
      <Stack gap="md">
        <ExplainFields
          device={device}
          assumption={assumption}
          invalid={invalid?.field}
          issue={invalid?.reason && text.issues[invalid.field](invalid.reason)}
          onChange={assume}
        />
        {explained.state === 'loading' && (
          <>
            <Loading rows={3} />
            <StillLoading />
          </>
        )}
        {explained.state === 'ready' && (
          <Verdict app={device.app} explanation={explained.explanation} />
        )}
        {explained.state === 'failed' && (
          <ErrorNotice error={explained.error} onRetry={explained.retry} />
        )}
        {invalid !== undefined && invalid.reason === undefined && (
          <Text c="dimmed">{text.versionNeeded}</Text>
        )}
        <Small>{text.noSideEffects}</Small>
      </Stack>
    </Panel>
  )
}

interface VerdictProps {
  readonly app: string
  readonly explanation: Explanation
}

/** The outcome in a sentence, what had a say in it, and each release that was tried. */
function Verdict({ app, explanation }: VerdictProps) {
  const { offer, notes, candidates, moreCandidates, channel, assumed } = explanation
  const [tone, Icon] = lookOf(offer)
  return (
    <div>
      <div role="status">
        <Group gap="xs" wrap="nowrap" align="start" className={classes.summary}>
          <Icon className={classes.icon} data-tone={tone} size={20} aria-hidden="true" />
          <Text fw={600}>{outcomeSentence(explanation)}</Text>
        </Group>
        {assumed && <Quiet mt={4}>{text.assumed}</Quiet>}
      </div>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => {
            const sentence = noteSentence(note, explanation)
            return (
              <li key={sentence}>
                <IconInfoCircle className={classes.icon} size={16} aria-hidden="true" />
                {sentence}
              </li>
            )
          })}
        </ul>
      )}
      {candidates.length > 0 && (
        <CandidatesTable app={app} channel={channel} candidates={candidates} />
      )}
      {moreCandidates > 0 && <Quiet mt="xs">{text.moreCandidates(moreCandidates)}</Quiet>}
    </div>
  )
}

function lookOf(offer: Explanation['offer']) {
  if (offer === null) return ['quiet', IconCircleMinus] as const
  return offer.allowDowngrade
    ? (['warn', IconArrowBackUp] as const)
    : (['good', IconCircleCheck] as const)
}
