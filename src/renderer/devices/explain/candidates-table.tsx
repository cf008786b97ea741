import { Table, Text } from '@mantine/core'
import {
  type Icon,
  IconCircleCheck,
  IconPackageOff,
  IconPercentage,
  IconTargetOff,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CandidateTrace } from '../../../shared/explanation.ts'
import { OUTCOME_LABELS } from '../../../shared/wording/explanation.ts'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { paths } from '../../paths.ts'
import { explainText as text, whyInWords } from '../strings.ts'
import classes from './explain.module.css'

const ICONS: Readonly<Record<CandidateTrace['outcome'], Icon>> = {
  offered: IconCircleCheck,
  not_targeted: IconTargetOff,
  outside_cohort: IconPercentage,
  no_artifact: IconPackageOff,
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
      <Table mt="sm" horizontalSpacing={8} aria-label={text.candidates}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.release}</Table.Th>
            <Table.Th>{text.outcome}</Table.Th>
            <Table.Th>{text.reason}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {candidates.map((candidate) => {
            const { version, outcome } = candidate
            const Glyph = ICONS[outcome]
            return (
              <Table.Tr key={version}>
                <Table.Td className={classes.release}>
                  <Link className={classes.link} to={paths.release({ app, channel, version })}>
                    <VersionBadge app={app} version={version} />
                  </Link>
                </Table.Td>
                <Table.Td>
                  <span
                    className={classes.outcome}
                    data-tone={outcome === 'offered' ? 'good' : 'quiet'}
                  >
                    <Glyph size={14} aria-hidden="true" />
                    {OUTCOME_LABELS[outcome]}
                  </span>
                </Table.Td>
                <Table.Td className={classes.why}>{whyInWords(candidate)}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      {namesBuckets && (
        <Text size="xs" c="dimmed" mt="xs">
          {text.buckets}
        </Text>
      )}
    </>
  )
}
