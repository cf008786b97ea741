import { Box, Group, Title } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { WALL_PATH, Wall, type WallRelease, WallServer } from '../../../shared/console/overview.ts'
import { failedOf, judgedOf } from '../../../shared/health/health.ts'
import { EntryPage } from '../../access/sign-in/entry-page.tsx'
import { ConsoleError } from '../../bridge/error.ts'
import { Loaded } from '../../components/loading/loading.tsx'
import { RolloutBar, RolloutLegend } from '../../components/release/rollout-bar.tsx'
import { Quiet, Small, Toned } from '../../components/text/words.tsx'
import { NextStepTime } from '../../releases/plans/next-step-time.tsx'
import { nextStepOf, stepInWords } from '../../releases/plans/strings.ts'
import { wallText as text } from '../strings.ts'
import classes from './wall.module.css'

/** Milliseconds between two looks. */
const LOOK = 10_000

/** The version of the server that the page is from: of its first answer. */
let version: string | undefined

/** What is live where, for a screen in the office: large, without actions, and without an account. */
export function WallScreen({ token }: { readonly token: string }) {
  const wall = useQuery({
    queryKey: ['wall', token],
    queryFn: () => look(token),
    refetchInterval: LOOK,
    retry: false,
  })
  const isRefused = wall.data === null
  useEffect(() => {
    if (!isRefused) document.title = text.title
  }, [isRefused])
  if (isRefused) return <EntryPage title={text.invalid} hint={text.invalidHint} />
  return (
    <main className={classes.wall}>
      <Group justify="space-between" align="baseline" gap="8px 24px" mb="lg">
        <Title order={1}>{text.title}</Title>
        <RolloutLegend />
      </Group>
      <Loaded query={wall}>
        {(shown) =>
          shown?.apps.map(({ ref, name, channels }) => (
            <Box component="section" key={ref} mb="xl" aria-label={name}>
              <Title order={2}>{name}</Title>
              <div className={classes.channels}>
                {channels.map((channel) => (
                  <ChannelCell key={channel.name} channel={channel} />
                ))}
              </div>
            </Box>
          ))
        }
      </Loaded>
    </main>
  )
}

/** Returns what the server answers to the token; null if it is no longer valid. Rejects with `unavailable` if nobody answers. */
async function look(token: string): Promise<Wall | null> {
  const answer = await fetch(new URL(WALL_PATH, document.baseURI), {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(LOOK),
  }).catch(() => undefined)
  if (answer?.status === 401 || answer?.status === 403) return null
  const json: unknown = answer?.ok ? await answer.json().catch(() => null) : null
  reloadAfterUpgrade(json)
  const read = Wall.safeParse(json)
  if (!read.success) throw ConsoleError.of({ code: 'unavailable', reason: 'server_not_answering' })
  return read.data
}

/** Loads the page again once the server has another version: nobody is there to do it. */
function reloadAfterUpgrade(json: unknown): void {
  const server = WallServer.safeParse(json).data?.server
  version ??= server
  if (server !== undefined && server !== version) location.reload()
}

type Channel = Wall['apps'][number]['channels'][number]

function ChannelCell({ channel }: { readonly channel: Channel }) {
  const { name, live, seenLast7Days, shareUpToDate } = channel
  return (
    <div className={classes.channel}>
      <div>
        <Title order={3}>{name}</Title>
        <Small>{text.channel(seenLast7Days, shareUpToDate)}</Small>
      </div>
      {live.length === 0 && <Quiet>{text.nothingLive}</Quiet>}
      {live.map((release) => (
        <Release key={release.version} release={release} />
      ))}
    </div>
  )
}

function Release({ release }: { readonly release: WallRelease }) {
  const { version, rolloutPct, adoption, health, failing, plan } = release
  const failed = health === null ? 0 : failedOf(health)
  const next = plan?.status === 'running' ? nextStepOf(plan) : undefined
  return (
    <div className={classes.release} data-tone={failing ? 'bad' : failed > 0 ? 'warn' : 'good'}>
      <span className={classes.version}>{version}</span>
      <RolloutBar bare pct={rolloutPct} adoption={adoption} />
      <span>{text.progress(rolloutPct, adoption)}</span>
      {(failing || failed > 0) && (
        <Toned icon={IconAlertOctagon} size={18} gap={6} className={classes.state}>
          {failing && `${text.failing} · `}
          {health !== null && text.failed(failed, judgedOf(health))}
        </Toned>
      )}
      {next !== undefined && <span>{text.next(stepInWords(next))}</span>}
      {plan?.next != null && <NextStepTime next={plan.next} />}
    </div>
  )
}
