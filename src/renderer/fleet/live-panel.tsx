import {
  type Icon,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleDashed,
  IconDeviceDesktopOff,
  IconDownload,
  IconFileOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTargetOff,
} from '@tabler/icons-react'
import { useEffect, useReducer, useRef, useState } from 'react'
import type { LiveCheckIn } from '../../shared/console/fleet.ts'
import { serverClient } from '../bridge/clients.ts'
import { keepSubscribed } from '../bridge/server-state.tsx'
import { Panel, SmallButton } from '../components/blocks.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { MiddleText } from '../components/text/middle-text.tsx'
import { formatElsewhere, formatTime } from '../components/text/time.ts'
import { Quiet, TextLink, Toned } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { type FeedState, feedAfter, NO_FEED } from './feed-state.ts'
import classes from './live-panel.module.css'
import { outcomeWords, platformWords, text } from './strings.ts'

/** Check-ins as they happen. What a person points at, or has the focus in, never moves. */
export function LivePanel({ app, channel }: { readonly app: string; readonly channel: string }) {
  const [paused, setPaused] = useState(false)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const feed = useLiveFeed(app, channel, paused || pointed || focused)
  const toggle = () => setPaused((known) => !known)
  const Glyph = paused ? IconPlayerPlay : IconPlayerPause
  return (
    <Panel
      flush
      title={text.live}
      aside={<Quiet>{stateWords(feed, { paused, pointed, focused })}</Quiet>}
      actions={
        <SmallButton icon={Glyph} onClick={toggle}>
          {paused ? text.resume : text.pause}
        </SmallButton>
      }
    >
      {/* It scrolls, so the keyboard must reach it; P pauses only while the focus is in it. */}
      <section
        className={classes.scroll}
        aria-label={text.liveList}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
        tabIndex={0}
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
        onFocus={() => setFocused(true)}
        onBlur={({ currentTarget, relatedTarget }) =>
          setFocused(currentTarget.contains(relatedTarget))
        }
        onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
          if (key.toLowerCase() === 'p' && !ctrlKey && !metaKey && !altKey) toggle()
        }}
      >
        {feed.rows.length === 0 ? (
          <Quiet p="md">{feed.listening ? text.waiting : text.connecting}</Quiet>
        ) : (
          <ol className="plain-list">
            {feed.rows.map((checkIn) => (
              <LiveRow key={`${checkIn.sequence} ${checkIn.at}`} app={app} checkIn={checkIn} />
            ))}
          </ol>
        )}
      </section>
    </Panel>
  )
}

interface Held {
  readonly paused: boolean
  readonly pointed: boolean
  readonly focused: boolean
}

function stateWords({ came, leftOut, listening }: FeedState, { paused, pointed, focused }: Held) {
  if (!listening) return text.disconnected
  if (paused) return text.paused(came)
  if (pointed) return text.hovering(came)
  if (focused) return text.focused(came)
  return leftOut === 0 ? null : text.skipped(leftOut)
}

const ICONS: Readonly<Record<NonNullable<LiveCheckIn['reason']>, Icon>> = {
  update: IconDownload,
  rollback: IconArrowBackUp,
  up_to_date: IconCircleCheck,
  no_release: IconCircleDashed,
  not_targeted: IconTargetOff,
  outside_cohort: IconCircleDashed,
  no_artifact: IconFileOff,
  system_too_old: IconDeviceDesktopOff,
}

/** One check-in: when, what it runs, how it was answered, and which device it was. */
function LiveRow({ app, checkIn }: { readonly app: string; readonly checkIn: LiveCheckIn }) {
  const { at, channel, deviceId, version, reason } = checkIn
  const platform = platformWords(checkIn)
  return (
    <li className={classes.row}>
      <time dateTime={at} title={formatElsewhere(at)}>
        {formatTime(at, 'time')}
      </time>
      <VersionBadge app={app} version={version} />
      <span className={classes.outcome} data-reason={reason ?? 'none'}>
        <Toned icon={reason === null ? IconSend : ICONS[reason]}>{outcomeWords(checkIn)}</Toned>
      </span>
      <span className="cut">
        {deviceId === null ? (
          <span className={classes.quiet}>{text.anonymous}</span>
        ) : (
          <TextLink to={paths.device(app, deviceId)}>
            <MiddleText>{deviceId}</MiddleText>
          </TextLink>
        )}
      </span>
      <span className={`${classes.place} cut`} title={`${channel}, ${platform}`}>
        {channel}, {platform}
      </span>
    </li>
  )
}

/** Milliseconds until a feed that ended is asked for again. */
const RETRY = 2_000

/** Check-ins as they happen, while the component is shown. `held`: nothing shown moves. */
function useLiveFeed(app: string, channel: string, held: boolean): FeedState {
  const [state, dispatch] = useReducer(feedAfter, NO_FEED)
  const isHeld = useRef(held)
  useEffect(() => {
    isHeld.current = held
    if (!held) dispatch({ type: 'released' })
  }, [held])
  useEffect(() => {
    dispatch({ type: 'started' })
    const input = { app, channel: channel === '' ? undefined : channel }
    return keepSubscribed((onEnd) => {
      const lost = () => {
        dispatch({ type: 'lost' })
        onEnd()
      }
      return serverClient.fleet.live.subscribe(input, {
        onData: (batch) => dispatch({ type: 'batch', batch, held: isHeld.current }),
        onError: lost,
        onComplete: lost,
      })
    }, RETRY)
  }, [app, channel])
  return state
}
