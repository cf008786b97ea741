import { Group, Stack, Text } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHandStop,
} from '@tabler/icons-react'
import type { PreflightFinding, PreflightReport } from '../../../shared/releases/preflight.ts'
import {
  downloadInWords,
  findingInWords,
  PREFLIGHT_FIXES,
  placeInWords,
  preflightCounts,
  preflightVerdict,
} from '../../../shared/wording/preflight.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { DeviceCount } from '../../components/release/device-count.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Small } from '../../components/text/quiet.tsx'
import classes from './preflight.module.css'
import { text } from './strings.ts'

/** Most versions that a line names. */
const SHOWN_VERSIONS = 3

type Tone = 'good' | 'warn' | 'bad'

const LOOKS: Readonly<Record<PreflightReport['verdict'], { tone: Tone; Icon: Icon }>> = {
  pass: { tone: 'good', Icon: IconCircleCheck },
  warn: { tone: 'warn', Icon: IconAlertTriangle },
  fail: { tone: 'bad', Icon: IconCircleX },
}

/** What a preflight found: the verdict in devices, and a line for each finding. */
export function PreflightResult({ report }: { readonly report: PreflightReport }) {
  const { verdict, findings, notInspected } = report
  const { tone, Icon } = LOOKS[verdict]
  return (
    <Stack gap="sm">
      <div role="status">
        <Group
          gap="xs"
          wrap="nowrap"
          align="flex-start"
          className={classes.verdict}
          data-tone={tone}
        >
          <Icon size={18} aria-hidden="true" />
          <Text fw={500}>{preflightVerdict(report)}</Text>
        </Group>
        <Text size="sm">{preflightCounts(report)}</Text>
        {report.download.bytes > 0 && <Text size="sm">{downloadInWords(report)}</Text>}
        {notInspected > 0 && <Small>{text.notInspected(notInspected)}</Small>}
      </div>
      {findings.length > 0 && <FindingsTable report={report} />}
    </Stack>
  )
}

function FindingsTable({ report }: { readonly report: PreflightReport }) {
  return (
    <DataTable
      label={text.findings}
      rows={report.findings}
      keyOf={(finding) => JSON.stringify(finding)}
      columns={[
        { name: text.severity, cell: (finding) => <Severity finding={finding} /> },
        {
          name: text.finding,
          cell: (finding) => (
            <>
              {findingInWords(finding)}
              <Small>{finding.accepted ?? PREFLIGHT_FIXES[finding.code]}</Small>
            </>
          ),
        },
        {
          name: text.on,
          cell: (finding) => (
            <>
              {placeInWords(finding)}
              <Running finding={finding} of={report} />
            </>
          ),
        },
        {
          name: text.devices,
          ta: 'end',
          cell: ({ devices, versions }) => {
            const [only, ...others] = versions.filter((each) => each.devices > 0)
            const { app, channel } = report
            const version = others.length > 0 || only === undefined ? {} : { version: only.version }
            return <DeviceCount count={devices} of={{ app, channel, ...version }} />
          },
        },
      ]}
    />
  )
}

interface RunningProps {
  readonly finding: PreflightFinding
  readonly of: PreflightReport
}

function Running({ finding: { versions, versionCount }, of: { app } }: RunningProps) {
  const shown = versions.slice(0, SHOWN_VERSIONS)
  const more = versionCount - shown.length
  return (
    <Group gap={4}>
      {shown.map(({ version }) => (
        <VersionBadge key={version} app={app} version={version} />
      ))}
      {more > 0 && <Small>{text.moreVersions(more)}</Small>}
      {versions.every(({ devices }) => devices === 0) && <Small>{text.nobody}</Small>}
    </Group>
  )
}

function Severity({ finding: { severity, accepted } }: { readonly finding: PreflightFinding }) {
  const { tone, Icon } = LOOKS[severity]
  if (accepted !== undefined) {
    return (
      <span className={classes.verdict}>
        <IconHandStop size={14} aria-hidden="true" /> {text.accepted}
      </span>
    )
  }
  return (
    <span className={classes.verdict} data-tone={tone}>
      <Icon size={14} aria-hidden="true" /> {text[severity]}
    </span>
  )
}
