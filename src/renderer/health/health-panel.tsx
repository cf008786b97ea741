import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReleasePlace } from '../../shared/console/releases.ts'
import { failedOf, type ReleaseHealth, type ReleaseHealthReport } from '../../shared/health.ts'
import { server } from '../bridge/clients.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { Loading } from '../components/loading/loading.tsx'
import { Panel } from '../components/panel.tsx'
import { Quiet, Small } from '../components/text/quiet.tsx'
import classes from './health.module.css'
import { HealthCounts } from './health-counts.tsx'
import { failuresInWords, healthInWords, text } from './strings.ts'

/** Milliseconds after which counts are asked for again: devices fall silent by the clock alone. */
const EVERY = 60_000

/** What became of the devices that were offered a release, beside the release before it. */
export function HealthPanel({ app, channel, version }: ReleasePlace) {
  const report = useQuery({
    ...server.releases.health.queryOptions({ app, channel, version }),
    refetchInterval: EVERY,
    placeholderData: () => undefined,
  })
  return (
    <Panel title={text.title}>
      <Loaded query={report} loading={<Loading rows={4} height={24} />}>
        {(known) =>
          known.health.offered === 0 ? <Quiet>{text.none}</Quiet> : <Report report={known} />
        }
      </Loaded>
    </Panel>
  )
}

function Report({ report }: { readonly report: ReleaseHealthReport }) {
  const { app, channel, version, health, movedOn, failureShare, timeToAdopt, previous } = report
  const { counted, newDevices, networks } = report
  return (
    <Stack gap="sm">
      <HealthBar health={health} />
      <HealthCounts place={{ app, channel, version }} health={health} movedOn={movedOn} />
      {counted.offered < health.offered && (
        <Fact name={text.counted}>{text.countedIn(counted, networks)}</Fact>
      )}
      {newDevices.offered > 0 && <Fact name={text.newDevices}>{text.devices(newDevices)}</Fact>}
      <Fact name={text.failureShare}>{failuresInWords(health, failureShare)}</Fact>
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
