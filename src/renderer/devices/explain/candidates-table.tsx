import {
  type Icon,
  IconCircleCheck,
  IconDeviceDesktopOff,
  IconPackageOff,
  IconPercentage,
  IconTargetOff,
  IconVersionsOff,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CandidateTrace } from '../../../shared/explanation.ts'
import { OUTCOME_LABELS } from '../../../shared/wording/explanation.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Small } from '../../components/text/quiet.tsx'
import { paths } from '../../paths.ts'
import classes from './explain.module.css'
import { explainText as text, whyInWords } from './strings.ts'

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
export function CandidatesTable({ app, channel, candidates }: Props) {
  const namesBuckets = candidates.some(
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
      {namesBuckets && <Small mt="xs">{text.buckets}</Small>}
    </>
  )
}

function Outcome({ outcome }: Pick<CandidateTrace, 'outcome'>) {
  const Glyph = ICONS[outcome]
  return (
    <span className={classes.outcome} data-tone={outcome === 'offered' ? 'good' : 'quiet'}>
      <Glyph size={14} aria-hidden="true" />
      {OUTCOME_LABELS[outcome]}
    </span>
  )
}
