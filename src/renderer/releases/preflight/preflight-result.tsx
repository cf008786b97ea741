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
      {findings.length > 0 && <FindingsList report={report} />}
    </Stack>
  )
}

function FindingsList({
  report: { app, channel, findings },
}: {
  readonly report: PreflightReport
}) {
  return (
    <ul className={`plain-list ${classes.findings}`} aria-label={text.findings}>
      {findings.map((finding) => (
        <li key={JSON.stringify(finding)}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Group gap="xs">
              <Severity finding={finding} />
              <Text size="sm" fw={500}>
                {findingInWords(finding)}
              </Text>
            </Group>
            <DeviceCount
              named
              count={finding.devices}
              of={{ app, channel, ...onlyVersion(finding) }}
            />
          </Group>
          <Group gap={4}>
            <Small>{placeInWords(finding)}</Small>
            <Running finding={finding} app={app} />
          </Group>
          <Small>{finding.accepted ?? PREFLIGHT_FIXES[finding.code]}</Small>
        </li>
      ))}
    </ul>
  )
}

/** The list of devices takes one version. */
function onlyVersion({ versions }: PreflightFinding) {
  const [only, ...others] = versions.filter(({ devices }) => devices > 0)
  return only === undefined || others.length > 0 ? {} : { version: only.version }
}

interface RunningProps {
  readonly finding: PreflightFinding
  readonly app: string
}

function Running({ finding: { versions, versionCount }, app }: RunningProps) {
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
