import { Button, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Panel } from '../components/panel.tsx'
import type { FeedState } from './feed-state.ts'
import classes from './live-panel.module.css'
import { LiveRow } from './live-row.tsx'
import { text } from './strings.ts'
import { useLiveFeed } from './use-live-feed.ts'

interface Props {
  readonly app: string
  readonly channel: string
}

/** Check-ins as they happen. What a person points at, or has the focus in, never moves. */
export function LivePanel({ app, channel }: Props) {
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
      aside={
        <Text size="sm" c="dimmed">
          {stateWords(feed, { paused, pointed, focused })}
        </Text>
      }
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Glyph size={14} aria-hidden="true" />}
          onClick={toggle}
        >
          {paused ? text.resume : text.pause}
        </Button>
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
          <Text size="sm" c="dimmed" p="md">
            {feed.listening ? text.waiting : text.connecting}
          </Text>
        ) : (
          <ol className={classes.rows}>
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
