import { Text } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconCircleCheck,
  IconMessageReport,
  IconSend,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail, DeviceEvent } from '../../../shared/console/devices.ts'
import { server } from '../../bridge/clients.ts'
import { Panel } from '../../components/blocks.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Quiet, Small, When } from '../../components/text/words.tsx'
import { EVENT_WORDS, eventInWords, timelineText as text } from '../timeline-strings.ts'
import classes from './device.module.css'

const GLYPHS: Readonly<Record<DeviceEvent['kind'], Icon>> = {
  offered: IconSend,
  sent_back: IconArrowBackUp,
  outcome: IconMessageReport,
  adopted: IconCircleCheck,
  stuck: IconAlertTriangle,
  reverted: IconAlertTriangle,
  reported: IconAlertTriangle,
}

/** What a device was offered, and what became of it, newest first. */
export function DeviceTimeline({ device }: { readonly device: DeviceDetail }) {
  const { app, deviceId } = device
  const timeline = useQuery(server.devices.timeline.queryOptions({ app, deviceId }))
  return (
    <Panel title={text.title}>
      <Loaded query={timeline} loading={<Loading rows={3} height={24} />}>
        {({ events, since }) => (
          <>
            {events.length === 0 ? (
              <Quiet>{text.none}</Quiet>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
              <ol className={`plain-list ${classes.timeline}`} tabIndex={0} aria-label={text.list}>
                {events.map((event, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two events can be alike
                  <Event key={`${event.at} ${event.kind} ${index}`} app={app} event={event} />
                ))}
              </ol>
            )}
            {since !== null && (
              <Small mt="xs">
                {text.since} <When at={since} />
              </Small>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Event({ app, event }: { readonly app: string; readonly event: DeviceEvent }) {
  const { at, kind, version, detail } = event
  const Glyph = GLYPHS[kind]
  return (
    <li data-tone={EVENT_WORDS[kind].tone}>
      <Glyph size={16} aria-hidden="true" />
      <div>
        <Text size="sm" component="div">
          {eventInWords(event)} {version !== null && <VersionBadge app={app} version={version} />}
        </Text>
        {detail !== '' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        )}
        <Small>
          <When at={at} />
        </Small>
      </div>
    </li>
  )
}
