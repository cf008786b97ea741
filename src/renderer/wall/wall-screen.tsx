import { Title } from '@mantine/core'
import { IconAlertOctagon, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { WALL_PATH, Wall, type WallRelease } from '../../shared/console/wall.ts'
import { failedOf, judgedOf } from '../../shared/health.ts'
import { RolloutBar, RolloutLegend } from '../components/release/rollout-bar.tsx'
import { Quiet, Small } from '../components/text/quiet.tsx'
import { When } from '../components/text/when.tsx'
import { NextStepTime } from '../plans/next-step-time.tsx'
import { nextStepOf, stepInWords } from '../plans/strings.ts'
import { EntryPage } from '../sign-in/entry-page.tsx'
import { text } from './strings.ts'
import classes from './wall.module.css'

/** Milliseconds between two looks. */
const LOOK = 10_000

interface Props {
  readonly token: string
}

/** What is live where, for a screen in the office: large, without actions, and without an account. */
export function WallScreen({ token }: Props) {
  const { wall, isOld, isRefused } = useWall(token)
  const isShown = wall !== undefined && !isRefused
  useEffect(() => {
    if (isShown) document.title = text.title
  }, [isShown])
  if (isRefused) return <EntryPage title={text.invalid} hint={text.invalidHint} />
  if (wall === undefined) return <EntryPage title={isOld ? text.old : text.loading} />
  return (
    <main className={classes.wall}>
      <div className={classes.head}>
        <Title order={1}>{text.title}</Title>
        <RolloutLegend />
        <Quiet>
          {text.asOf} <When at={wall.at} />
        </Quiet>
        {isOld && (
          <span role="status" className={classes.state} data-tone="warn">
            <IconPlugConnectedX size={18} aria-hidden="true" />
            {text.old}
          </span>
        )}
      </div>
      {wall.apps.map(({ ref, name, channels }) => (
        <section key={ref} className={classes.app} aria-label={name}>
          <Title order={2}>{name}</Title>
          <div className={classes.channels}>
            {channels.map((channel) => (
              <ChannelCell key={channel.name} channel={channel} />
            ))}
          </div>
        </section>
      ))}
    </main>
  )
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
        <span className={classes.state}>
          <IconAlertOctagon size={18} aria-hidden="true" />
          {failing && `${text.failing} · `}
          {health !== null && text.failed(failed, judgedOf(health))}
        </span>
      )}
      {next !== undefined && <span>{text.next(stepInWords(next))}</span>}
      {plan?.next != null && <NextStepTime next={plan.next} />}
    </div>
  )
}

interface State {
  readonly wall: Wall | undefined
  /** Whether the last look failed. */
  readonly isOld: boolean
  readonly isRefused: boolean
}

/** What the server answers to the token, looked at again and again. */
function useWall(token: string): State {
  const [state, setState] = useState<State>({ wall: undefined, isOld: false, isRefused: false })
  useEffect(() => {
    const ended = new AbortController()
    const look = async () => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(new URL(WALL_PATH, document.baseURI), {
        headers,
        signal: AbortSignal.any([ended.signal, AbortSignal.timeout(LOOK)]),
      }).catch(() => undefined)
      const isRefused = answer?.status === 401 || answer?.status === 403
      const read = Wall.safeParse(answer?.ok ? await answer.json().catch(() => null) : null)
      if (ended.signal.aborted) return
      setState(({ wall }) => ({ wall: read.data ?? wall, isOld: !read.success, isRefused }))
    }
    void look()
    const timer = setInterval(() => void look(), LOOK)
    return () => {
      clearInterval(timer)
      ended.abort()
    }
  }, [token])
  return state
}
