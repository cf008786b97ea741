import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { server } from '../../bridge/clients.ts'
import { paths } from '../../paths.ts'
import { text } from '../strings.ts'
import { MiddleText } from '../text/middle-text.tsx'
import classes from './release.module.css'
import { badgeColors, colorIn } from './version-palette.ts'

interface Props {
  /** The reference of the app, which decides on the color. */
  readonly app: string
  readonly version: string
}

/** A version in its color. The text is always there; the color only helps to find it again. */
export function VersionBadge({ app, version }: Props) {
  const colorOf = useVersionColors(app)
  if (version === OTHER) {
    return (
      <Text span inherit c="dimmed" title={text.otherVersionsHint}>
        {text.otherVersions}
      </Text>
    )
  }
  return (
    <span className={classes.badge} style={badgeColors(colorOf(version))}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.text}>
        <MiddleText>{version}</MiddleText>
      </span>
    </span>
  )
}

interface LinkProps {
  readonly release: ReleasePlace
  readonly className?: string | undefined
}

/** The version of a release as a link to its page, which gives way where there is little room. */
export function VersionLink({ release, className = '' }: LinkProps) {
  const { app, channel, version } = release
  return (
    <Link to={paths.release({ app, channel, version })} className={`${classes.link} ${className}`}>
      <VersionBadge app={app} version={version} />
    </Link>
  )
}

/**
 * Returns the color of each version of an app, as an index of the palette, the same on every screen. Undefined
 * for `OTHER`, and for all until the colors are loaded: a color must not change under the reader.
 */
export function useVersionColors(app: string): (version: string) => number | undefined {
  const { data, isError } = useQuery(server.fleet.colors.queryOptions({ app }))
  return (version) => {
    if (version === OTHER || (data === undefined && !isError)) return undefined
    return colorIn(data ?? {}, version)
  }
}
