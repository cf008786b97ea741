import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  failedOf,
  type ReleaseHealth,
  type ReleaseHealthReport,
} from '../../../shared/health/health.ts'
import { CRASH_FREE, sessionsInWords, withoutStuck } from '../../../shared/wording/judgement.ts'
import { server } from '../../bridge/clients.ts'
import { Panel } from '../../components/blocks.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { Quiet, Small, When } from '../../components/text/words.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { FailingActions } from '../serving/failing-actions.tsx'
import { useDanger } from './danger-notice.tsx'
import classes from './health.module.css'
import { HealthCounts } from './health-counts.tsx'
import { healthInWords, text } from './strings.ts'
import { Verdict } from './verdict.tsx'

/** Milliseconds after which counts are asked for again: devices fall silent by the clock alone. */
const EVERY = 60_000

/** What became of the devices that were offered a release, beside the release before it. */
export function HealthPanel({ detail }: { readonly detail: ReleaseDetail }) {
  const { app, channel, version } = detail.release
  const report = useQuery({
    ...server.releases.health.queryOptions({ app, channel, version }),
    refetchInterval: EVERY,
  })
  return (
    <Panel title={text.title}>
      <Loaded query={report} loading={<Loading rows={4} height={24} />}>
        {(known) => (
          <Stack gap="sm">
            {known.health.offered === 0 ? (
              <Quiet>{text.none}</Quiet>
            ) : (
              <Report report={known} detail={detail} />
            )}
            {known.sessions !== null && (
              <Fact name={CRASH_FREE}>{sessionsInWords(known.sessions)}</Fact>
            )}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

interface ReportProps {
  readonly report: ReleaseHealthReport
  readonly detail: ReleaseDetail
}

function Report({ report, detail }: ReportProps) {
  const { app, channel, version, health, movedOn, timeToAdopt, previous } = report
  const { counted, newDevices, networks } = report
  return (
    <Stack gap="sm">
      <Judged report={report} detail={detail} />
      <HealthBar health={health} />
      <HealthCounts place={{ app, channel, version }} health={health} movedOn={movedOn} />
      {counted.offered < health.offered && (
        <Fact name={text.counted}>{text.countedIn(counted, networks)}</Fact>
      )}
      {newDevices.offered > 0 && <Fact name={text.newDevices}>{text.devices(newDevices)}</Fact>}
      {timeToAdopt !== null && (
        <Fact name={text.timeToAdopt}>
          {text.quantiles(timeToAdopt.medianSeconds, timeToAdopt.p90Seconds)}
        </Fact>
      )}
      {previous === null ? (
        <Small>{text.noPrevious}</Small>
      ) : (
        <Fact name={text.previous(previous.version)}>{healthInWords(previous.health)}</Fact>
      )}
    </Stack>
  )
}

/** What the release is judged by, and what a person can do if it fails. */
function Judged({
  report: { app, channel, version, verdict, counted },
  detail: { release, archived },
}: ReportProps) {
  const { danger } = useDanger(release)
  const stopped = danger?.stoppedAt ? danger.reasons : []
  const now = { code: 'too_many_failures', ...verdict } as const
  const reasons = stopped.length === 0 ? [now] : stopped
  const left = reasons[0] === undefined ? '' : withoutStuck(reasons[0], counted.stuck)
  return (
    <>
      {stopped.length === 0 && verdict.judged === 0 ? (
        <Small>{text.tooFew}</Small>
      ) : (
        <>
          <Verdict
            release={{ app, channel, version }}
            reasons={reasons}
            isFailing={danger !== undefined}
          />
          {left !== '' && <Small>{left}</Small>}
        </>
      )}
      {danger?.stoppedAt && (
        <Small>
          {text.stopped} <When at={danger.stoppedAt} />
        </Small>
      )}
      {danger !== undefined && !archived && (
        <FailingActions release={release} status={release.status} />
      )}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <Small>{name}</Small>
      <Text size="sm">{children}</Text>
    </div>
  )
}

/** The shares of devices that adopted a release, wait or failed; the numbers stand below it. */
function HealthBar({ health }: { readonly health: ReleaseHealth }) {
  const parts = [
    ['adopted', health.adopted],
    ['failed', failedOf(health)],
    ['waiting', health.waiting],
  ] as const
  const words = healthInWords(health)
  return (
    <div className={classes.bar} role="img" aria-label={words} title={words}>
      {parts.map(([kind, count]) => (
        <span key={kind} data-kind={kind} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}
