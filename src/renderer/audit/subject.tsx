import { Text } from '@mantine/core'
import { Link } from 'react-router'
import type { AppName } from '../../shared/console/apps.ts'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { paths } from '../paths.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { text } from './strings.ts'

interface Props {
  readonly entry: AuditEntry
  /** The apps that there are now: what was removed has no page to lead to. */
  readonly apps: readonly AppName[]
}

/** What a change was about, as a link where that is still there. */
export function Subject({ entry: { app, channel, version }, apps }: Props) {
  if (app === null) {
    return (
      <Text span size="sm" c="dimmed">
        {text.server}
      </Text>
    )
  }
  const known = apps.find(({ ref }) => ref === app)
  const place = channel === null ? app : `${app}/${channel}`
  if (channel === null || version === null) {
    return known === undefined ? place : <AppLink app={app} place={place} />
  }
  const served = known?.channels.includes(channel) ?? false
  return (
    <>
      {served ? (
        <Link
          className={classes.version}
          to={paths.release({ app, channel, version })}
          aria-label={text.release(version, place)}
        >
          <VersionBadge app={app} version={version} />
        </Link>
      ) : (
        <VersionBadge app={app} version={version} />
      )}
      <Text size="xs" c="dimmed" className="cut">
        {place}
      </Text>
    </>
  )
}

function AppLink({ app, place }: { readonly app: string; readonly place: string }) {
  return (
    <Link className="link" to={paths.app(app)}>
      {place}
    </Link>
  )
}
