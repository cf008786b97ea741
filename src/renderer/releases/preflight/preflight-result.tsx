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
import { Small, Strong, TextLink, type Tone, Toned } from '../../components/text/words.tsx'
import { type DeviceFilters, paths } from '../../paths.ts'
import classes from './preflight.module.css'
import { text } from './strings.ts'

/** Most versions that a line names. */
const SHOWN_VERSIONS = 3

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
        <Toned tone={tone} icon={Icon} size={18} gap={6}>
          <Text fw={500} component="span">
            {preflightVerdict(report)}
          </Text>
        </Toned>
        <Text size="sm">{preflightCounts(report)}</Text>
        {report.download.bytes > 0 && <Text size="sm">{downloadInWords(report)}</Text>}
        {notInspected > 0 && <Small>{text.notInspected(notInspected)}</Small>}
      </div>
      {findings.length > 0 && <FindingsList report={report} />}
    </Stack>
  )
}

function FindingsList({ report }: { readonly report: PreflightReport }) {
  const { app, findings } = report
  return (
    <ul className={`plain-list ${classes.findings}`} aria-label={text.findings}>
      {findings.map((finding) => (
        <li key={JSON.stringify(finding)}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Group gap="xs">
              <Severity finding={finding} />
              <Strong>{findingInWords(finding)}</Strong>
            </Group>
            <Group gap="xs" flex="none">
              <DeviceCount named count={finding.devices} of={devicesOf(finding, report)} />
              <Explain finding={finding} report={report} />
            </Group>
          </Group>
          <Group gap={4}>
            <Small>{placeInWords(finding)}</Small>
            <Running finding={finding} app={app} />
          </Group>
          <Fix finding={finding} report={report} />
        </li>
      ))}
    </ul>
  )
}

interface FindingProps {
  readonly finding: PreflightFinding
  readonly report: PreflightReport
}

/** Leads to the decision for one of the devices. */
function Explain({ finding: { example, client }, report: { app, channel } }: FindingProps) {
  if (example === undefined || client === null) return null
  return <TextLink to={paths.explain(app, example, { channel, client })}>{text.explain}</TextLink>
}

/** What fixes a finding, or why it is accepted, which leads to where that is done. */
function Fix({ finding: { accepted, code }, report }: FindingProps) {
  const place = accepted === undefined ? placeOfFix(code, report) : paths.app(report.app)
  const words = accepted ?? PREFLIGHT_FIXES[code]
  return <Small>{place === undefined ? words : <TextLink to={place}>{words}</TextLink>}</Small>
}

/** Undefined for what is fixed where it is shown: in a form, a draft, or beside the artifacts. */
function placeOfFix(code: PreflightFinding['code'], { status, ...place }: PreflightReport) {
  const { app, channel } = place
  if (code === 'below_minimum') return paths.app(app)
  if (code === 'dead_end' || code === 'system_too_old') return paths.channelReleases(app, channel)
  const isHere = status === 'draft' || code === 'file_failed'
  return isHere ? undefined : paths.copyRelease(place, channel)
}

/** The list of devices takes one version. */
function devicesOf(
  { versions, platform, arch }: PreflightFinding,
  { app, channel }: PreflightReport,
): DeviceFilters {
  const [only, ...others] = versions.filter(({ devices }) => devices > 0)
  const version = only === undefined || others.length > 0 ? {} : { version: only.version }
  return { app, channel, platform, arch, ...version }
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
      <Toned icon={IconHandStop} gap={6}>
        {text.accepted}
      </Toned>
    )
  }
  return (
    <Toned tone={tone} icon={Icon} gap={6}>
      {text[severity]}
    </Toned>
  )
}
